"""English verbs that begin what somebody tries, each with its past form."""

from collections.abc import Mapping

_PLAIN = """
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
_IRREGULAR = """
beat beat bind bound break broke bring brought build built buy bought catch caught choose chose cut cut
dig dug draw drew drink drank drive drove eat ate fight fought find found flee fled fly flew
forgive forgave freeze froze get got give gave hear heard hide hid hit hit hold held keep kept lead led
leave left lose lost make made mislead misled outrun outran overhear overheard
pay paid put put read read ride rode run ran see saw set set shake shook shoot shot sink sank slay slew
slide slid speak spoke stand stood steal stole strike struck swim swam swing swung take took
teach taught tear tore tell told throw threw unbind unbound understand understood wake woke weave wove
win won withstand withstood write wrote
"""
_DOUBLED = frozenset(
    (
        "beg",
        "control",
        "drag",
        "grab",
        "kidnap",
        "outwit",
        "repel",
        "rob",
        "scan",
        "slip",
        "spot",
        "stab",
        "stop",
        "stun",
        "trap",
    )
)


def _past(verb: str) -> str:
    """Return the past form of a regular verb."""
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ed"
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ied"
    return f"{verb}ed"


_PAIRS = _IRREGULAR.split()
PAST: Mapping[str, str] = {
    **{verb: _past(verb) for verb in _PLAIN.split()},
    **dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)),
}
"""The past form of each verb by its plain form."""
