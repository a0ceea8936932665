"""What notes of rolls begin with in English, so that a sentence can be made of them: `Force the door`."""

_ALL = """
accept accuse aim ambush answer approach argue arrest ask assemble assess assist attack avoid awaken
bandage banish bargain barricade beat befriend beg betray bind block bluff borrow break bribe bring
build burn bury buy bypass calculate call calm capture carry catch charm chase cheat check cheer choose
clear climb close coax collect conceal confront confuse connect conquer contact control convince cook
copy crack crawl create cross crush cut decipher decode defend deflect defuse deliver demand deny
descend describe destroy detect dig disable disarm discover disguise dismantle distract dive dodge drag
draw drink drive eat encourage enter escape evade examine explain explore expose face fetch fight find
finish fix flatter flee fly follow force forge forgive free freeze frighten gather get give grab grapple
greet guard guide hack handle heal hear help hide hire hit hold hunt identify ignore impress infiltrate
influence inspect intercept interrogate interrupt intimidate investigate join jump keep kick kidnap kill
launch lead leap learn leave lift listen locate lock look lose make manipulate meditate mend mislead
move navigate negotiate observe obtain open outrun outsmart outwit overhear overpower pacify parry pass
patch pay perform persuade pick play plead pray prepare press pretend prevent protect prove provoke pry
pull punch pursue push put rally reach read recall recognize recover remember remove repair repel rescue
resist restore restrain retrieve return reveal ride rob run sabotage save scan scare scout search secure
seduce see seize set settle shake shatter shield shoot shout shove sink slay slide slip smash smell
smuggle snatch sneak soothe speak spot stab stand start steal steer stop strike stun subdue summon
support survive swim swing take talk tame teach tear tell terrify test threaten throw track translate
trap trick turn unbind uncover understand unlock untangle use visit wait wake walk warn watch weave win
withstand wrestle write
"""
VERBS = frozenset(_ALL.split())
"""Plain forms, each of which can stand behind `managed to`."""
