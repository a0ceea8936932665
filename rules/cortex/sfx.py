"""SFX and limits: what they cost, give and need, as values and as text (X1)."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from itertools import islice

from rules.cortex.kinds import Sfx
from rules.cortex.ruleset import EffectBy, PushStress, Ruleset
from rules.dice import ALL_SIZES, SCALE_WORD, SIZES, VERBS, Ladder, example_size, size_of
from rules.errors import NotAllowed, RuleError, Unreadable
from rules.names import clean, fold, one_of
from rules.text import Phrase, Words, counted, shorten
from rules.values import Value, exhaustive

MOST_PARTS = 6
"""An SFX has at most this many costs, and as many benefits."""


BENEFIT, COST = Words("benefit"), Words("cost")
"""The two sides of an SFX, and the options that take them."""


EXAMPLE = "/sfx add name:Focus benefit:add d6 cost:1 PP"


class Act(StrEnum):
    """What a cost or a benefit does (X1)."""

    PP = "PP"
    UP = "up"
    DOWN = "down"
    DOUBLE = "double"
    SAFE = "safe"
    UP_THEIRS = "up theirs"
    DOWN_THEIRS = "down theirs"
    UP_DOOM = "up doom"
    DOWN_DOOM = "down doom"
    ADD = "add"
    REROLL = "reroll"
    REMOVE = "remove"
    TOTAL = "total"
    EFFECT = "effect"
    EFFECT_UP = "effect up"
    ASSET = "asset"
    COMPLICATION = "complication"
    DOOM = "doom"
    FROM_DOOM = "from doom"
    TO_DOOM = "to doom"
    HITCH = "hitch"
    SHUT = "shut down"
    OPPORTUNITY = "opportunity"
    PUSH = "push"
    WORDS = "words"


class SfxWords(Value):
    """How a cost or benefit is written, when it happens, and whether it needs a die."""

    words: str = "{act} {label}"
    is_before: bool = False
    """It is done to dice before they are rolled alone (D4)."""
    is_on_one: bool = False
    """It needs a die to be named, where the SFX itself names none."""
    first: int = 0
    """The die of a trait or of doom that comes without a size; 0 where none comes."""


_WITH_DIE = "{act} d{die} {label}"


ACTS = exhaustive(
    Act,
    {
        Act.PP: SfxWords("{number} PP"),
        Act.UP: SfxWords(is_before=True, is_on_one=True),
        Act.DOWN: SfxWords(is_before=True, is_on_one=True),
        Act.DOUBLE: SfxWords(is_on_one=True),
        Act.SAFE: SfxWords(is_before=True, is_on_one=True),
        Act.UP_THEIRS: SfxWords(is_before=True),
        Act.DOWN_THEIRS: SfxWords(is_before=True),
        Act.UP_DOOM: SfxWords(),
        Act.DOWN_DOOM: SfxWords(),
        Act.ADD: SfxWords("add {times}d{die}"),
        Act.REROLL: SfxWords(is_on_one=True),
        Act.REMOVE: SfxWords("{act} {what}"),
        Act.TOTAL: SfxWords(),
        Act.EFFECT: SfxWords(),
        Act.EFFECT_UP: SfxWords(),
        Act.ASSET: SfxWords(_WITH_DIE, first=8),
        Act.COMPLICATION: SfxWords(_WITH_DIE, first=8),
        Act.DOOM: SfxWords(_WITH_DIE, first=6),
        Act.FROM_DOOM: SfxWords(_WITH_DIE, is_before=True),
        Act.TO_DOOM: SfxWords("{act} {what}"),
        Act.HITCH: SfxWords(),
        Act.SHUT: SfxWords(),
        Act.OPPORTUNITY: SfxWords(),
        Act.PUSH: SfxWords(is_before=True),
        Act.WORDS: SfxWords('"{label}"'),
    },
)


BEFORE = tuple(act for act, of in ACTS.items() if of.is_before)
"""What is done to dice before they are rolled alone (D4)."""


ON_ONE_DIE = tuple(act for act, of in ACTS.items() if of.is_on_one)
"""What needs a die to be named, where the SFX itself names none."""


class SfxPart(Value):
    """One cost or benefit: what it does, the trait or label, the die and the number."""

    act: Act
    label: str = ""
    die: int = 0
    number: int = 1


HIGHEST, ONES = "highest", "1s"
"""What `remove` takes by what the dice show, in place of a die or the name of a trait."""


def comes_after(one: SfxPart) -> bool:
    """Return whether a part acts on dice only after the roll, by what they show (D4).

    >>> comes_after(part("reroll")), comes_after(part("remove 1s")), comes_after(part("remove d8"))
    (True, True, False)
    """
    return one.act is Act.REROLL or (one.act is Act.REMOVE and one.label in (HIGHEST, ONES))


def is_unnamed(one: SfxPart) -> bool:
    """Return whether a part makes an asset or complication that the SFX doesn't name.

    >>> is_unnamed(part("asset d8")), is_unnamed(part("asset d8 Rope")), is_unnamed(part("reroll"))
    (True, False, False)
    """
    return one.act in (Act.ASSET, Act.COMPLICATION) and not one.label


_POINTS = re.compile(
    r"(?:(?:gain|earn|spend|pay) )?(?:(an?|one|[0-9]{1,2}) ?)?(?:pp|plot points?)", re.IGNORECASE
)


_STEP = re.compile(r"(?:step )?(up|down|double|safe)(?: (.+))?", re.IGNORECASE)


_PUSH = re.compile(r"push(?: (.+))?", re.IGNORECASE)


_ADD = re.compile(r"add (?:an? )?([0-9]?)(d[0-9]{1,2})", re.IGNORECASE)


_LENT = re.compile(r"(?:add )?from doom (d[0-9]{1,2})", re.IGNORECASE)


_MOVED = re.compile(r"(?:move )?to (?:the )?doom (?:(?:an? |the )?(d[0-9]{1,2})|(.+))", re.IGNORECASE)


_TRAIT = re.compile(r"(?:an? )?(asset|complication|doom)(?: (.+))?", re.IGNORECASE)


_DIE_FIRST = re.compile(r"(?:an? )?(d[0-9]{1,2}) (asset|complication|doom)(?: (.+))?", re.IGNORECASE)


_REMOVE = re.compile(
    r"remove (?:(?:an? |the )?(d[0-9]{1,2})|(?:the )?(highest)(?: die| rolling die)?|(?:all )?(1s)|(.+))",
    re.IGNORECASE,
)


_SHUT = re.compile(r"shut ?down(?: (.+))?", re.IGNORECASE)


_PLAIN: Mapping[str, Act] = {
    "reroll": Act.REROLL,
    "reroll a die": Act.REROLL,
    "effect": Act.EFFECT,
    "total": Act.TOTAL,
    "one more die in the total": Act.TOTAL,
    "another die in the total": Act.TOTAL,
    "another effect": Act.EFFECT,
    "another effect die": Act.EFFECT,
    "hitch": Act.HITCH,
    "a hitch": Act.HITCH,
    "hand over a hitch": Act.HITCH,
    "hand the gm a hitch": Act.HITCH,
    "effect up": Act.EFFECT_UP,
    "up effect": Act.EFFECT_UP,
    "step up the effect": Act.EFFECT_UP,
    "step up the effect die": Act.EFFECT_UP,
    "opportunity": Act.OPPORTUNITY,
    "use opportunity": Act.OPPORTUNITY,
    "use an opportunity": Act.OPPORTUNITY,
}


_THEIRS = ("theirs", "their die", "the opposition")


_DOOM = ("doom", "a doom die", "doom die", "the doom pool")


_DIE = re.compile(r"\bd[0-9]{1,2}\b", re.IGNORECASE)


_QUOTED = re.compile(r'"\s*[^"\s][^"]*"')
"""Mere words, as they are typed and written."""


_WORDS = "nobody sees you go"
"""Mere words, for an example."""


_ONE = re.compile(r'(?:"[^"]*"|[^,+\n])+')
"""One cost or benefit of several; commas between quotation marks part nothing."""


_GIVES, _TAKES = re.compile(r"(?:gain|earn)\b", re.IGNORECASE), re.compile(r"(?:spend|pay)\b", re.IGNORECASE)


_SHEET = re.compile(r'(?P<name>"[^"]+" ?|[^":(]+)(?:\((?P<trait>.*?)\) ?)?: ?(?P<rest>.*)', re.DOTALL)


_REST = re.compile(
    r'(?P<benefit>(?:"[^"]*"|(?!, (?:for|when) )[^"])*+)'
    r'(?:, for (?P<cost>(?:"[^"]*"|(?!, when )[^"])*+))?(?:, when (?P<when>.*))?',
    re.IGNORECASE | re.DOTALL,
)


def part(text: str, sizes: Ladder = SIZES) -> SfxPart:
    """Return what a typed cost or benefit does; text without a known form is a part with plain words.

    >>> part("2 PP")
    SfxPart(act=<Act.PP: 'PP'>, label='', die=0, number=2)
    >>> part("double Sharp").act, part("double Sharp").label
    (<Act.DOUBLE: 'double'>, 'Sharp')
    >>> part("d8 complication Burning").die, part("d8 complication Burning").label
    (8, 'Burning')
    >>> part("nobody sees you go").act
    <Act.WORDS: 'words'>

    Raises Unreadable for a die of a size that isn't among `sizes`.
    """
    words = " ".join(text.split())
    if fold(words) in _PLAIN:
        return SfxPart(_PLAIN[fold(words)])
    if match := _POINTS.fullmatch(words):
        return SfxPart(Act.PP, number=int(match[1]) if match[1] and match[1].isdecimal() else 1)
    if match := _ADD.fullmatch(words):
        return SfxPart(Act.ADD, die=size_of(match[2], sizes), number=max(1, int(match[1] or 1)))
    if match := _LENT.fullmatch(words):
        return SfxPart(Act.FROM_DOOM, die=size_of(match[1], sizes))
    if match := _MOVED.fullmatch(words):
        return SfxPart(Act.TO_DOOM, match[2] or "", size_of(match[1], sizes) if match[1] else 0)
    if match := _REMOVE.fullmatch(words):
        size = size_of(match[1], sizes) if match[1] else 0
        return SfxPart(Act.REMOVE, match[4] or (match[2] or match[3] or "").lower(), size)
    if match := _SHUT.fullmatch(words):
        return SfxPart(Act.SHUT, match[1] or "")
    if match := _PUSH.fullmatch(words):
        return SfxPart(Act.PUSH, match[1] or "")
    if match := _STEP.fullmatch(words):
        return _stepping(match[1].lower(), match[2] or "")
    gained = None
    if match := _DIE_FIRST.fullmatch(words):
        gained = _gaining(match[2], f"{match[1]} {match[3] or ''}", sizes)
    elif match := _TRAIT.fullmatch(words):
        gained = _gaining(match[1], match[2] or "", sizes)
    return gained or SfxPart(Act.WORDS, words.replace('"', ""))


def write_part(one: SfxPart) -> str:
    """Return a cost or benefit as text that `part` can read.

    >>> write_part(part("a plot point")), write_part(part("add 2d6")), write_part(part("step up mind"))
    ('1 PP', 'add 2d6', 'up mind')
    >>> write_part(part("asset"))
    'asset d8'
    """
    values = {"act": one.act, "label": one.label, "die": one.die, "number": one.number}
    times = one.number if one.number > 1 else ""
    return ACTS[one.act].words.format(**values, times=times, what=one.label or f"d{one.die}").strip()


def parts(of: Iterable[str]) -> tuple[SfxPart, ...]:
    """Return the parts of stored costs or benefits, with dice of every size allowed.

    >>> [one.act.value for one in parts(["add d20", "1 PP"])]
    ['add', 'PP']
    """
    return tuple(part(text, ALL_SIZES) for text in of)


def parts_of(sfx: Sfx) -> tuple[SfxPart, ...]:
    """Return every part of an SFX: its costs first, then its benefits."""
    return parts((*sfx.cost, *sfx.benefit))


def write(sfx: Sfx) -> str:
    """Return an SFX as one line of a sheet.

    >>> write(Sfx("Focus", ("double Mind",), ("1 PP",), "angry", "Mind"))
    'Focus (Mind): double Mind, for 1 PP, when angry'
    """
    return f"{titled(sfx)}: {write_parts(sfx)}"


def titled(sfx: Sfx) -> str:
    """Return the name of an SFX with the trait that it belongs to, in brackets.

    >>> titled(Sfx("Focus", ("double Mind",), trait="Mind"))
    'Focus (Mind)'
    >>> titled(Sfx("Boom: again", ("reroll",)))
    '"Boom: again"'
    """
    name = f'"{sfx.name}"' if any(c in sfx.name for c in '":(') else sfx.name
    return f"{name} ({sfx.trait})" if sfx.trait else name


def write_parts(sfx: Sfx) -> str:
    """Return what an SFX gives and costs, and when it can be used.

    >>> write_parts(Sfx("Focus", ("double Mind",), ("1 PP",), "angry"))
    'double Mind, for 1 PP, when angry'
    """
    cost = f", for {_written(sfx.cost)}" if sfx.cost else ""
    when = f", when {sfx.when}" if sfx.when else ""
    return f"{_written(sfx.benefit)}{cost}{when}"


def _written(texts: Iterable[str]) -> str:
    """Costs or benefits in a row; mere words, which once had no quotation marks, have them."""
    return ", ".join(write_part(each) for each in parts(texts))


def read(text: str, sizes: Ladder = SIZES) -> Sfx:
    """Return the SFX on a line of a sheet.

    >>> read("Focus (Mind): double Mind, for 1 PP, when angry").trait
    'Mind'
    >>> read("Shadow: reroll").cost
    ()

    Raises Unreadable without a name, a colon or a benefit; otherwise as `new_sfx` does.
    """
    match = _SHEET.fullmatch(" ".join(text.split()))
    rest = _REST.fullmatch(match["rest"]) if match else None
    if match is None or rest is None:
        raise Unreadable(
            "an SFX needs a name, a colon and a benefit. Example: SFX: Focus: double Mind, for 1 PP"
        )
    name = match["name"].strip().strip('"')
    return new_sfx(name, rest["benefit"], rest["cost"], rest["when"], (match["trait"] or "").strip(), sizes)


NearForms = Callable[[str, Words], Iterator[Phrase]]
"""What a refusal proposes in place of a benefit or cost that was typed, the likeliest first."""


def new_sfx(
    name: str,
    benefit: str,
    cost: str | None = None,
    when: str | None = None,
    trait: str = "",
    sizes: Ladder = SIZES,
    near: NearForms | None = None,
) -> Sfx:
    """Return the SFX with this name, its benefits and costs as typed, with commas between several (X1).

    >>> new_sfx("Focus", "double Mind, total", "a plot point", "when angry").when
    'angry'
    >>> write(new_sfx("Flurry", "add a d6 + total", "remove highest"))
    'Flurry: add d6, total, for remove highest'

    Raises Unreadable without a benefit or for text that is neither a known form nor quoted; NotAllowed for
    too many parts, for a part on each side of the roll, or for a name that means something in a pool.
    """
    near = near or near_forms
    gains, costs = _list(benefit, BENEFIT, sizes, near), _list(cost or "", COST, sizes, near)
    if not gains:
        raise Unreadable("An SFX needs a benefit. Example: {example}", example=EXAMPLE)
    does = parts((*gains, *costs))
    if any(each.act in BEFORE for each in does) and any(map(comes_after, does)):
        raise NotAllowed(
            "A reroll, remove highest and remove 1s come after the roll, but a step comes before. Make "
            "two SFX."
        )
    said = clean(when, Words("condition"), 200) if when and when.strip() else ""
    label = clean(name, Words("SFX name"), 60)
    require_name(label)
    return Sfx(label, gains, costs, said.removeprefix("when "), trait)  # written before it again


def require_name(name: str) -> None:
    """Check that an SFX may have this name. Raises NotAllowed if it means something in a dice pool."""
    taken = (*VERBS, SCALE_WORD, "last", "build", "show")
    if fold(name) in taken or re.fullmatch(r"(?:[0-9]*d)?[0-9]+", name, re.IGNORECASE):
        raise NotAllowed("{name} already means something in a dice pool. Choose another name.", name=name)


def _stepping(word: str, rest: str) -> SfxPart:
    if fold(rest) in _THEIRS and word in (Act.UP, Act.DOWN):
        return SfxPart(Act.UP_THEIRS if word == "up" else Act.DOWN_THEIRS)
    if fold(rest) in _DOOM and word in (Act.UP, Act.DOWN):
        return SfxPart(Act.UP_DOOM if word == "up" else Act.DOWN_DOOM)
    return SfxPart(Act(word), rest)


def _gaining(word: str, rest: str, sizes: Ladder) -> SfxPart | None:
    """An asset, a complication or a doom die, its die anywhere among the words; None if there is more."""
    act = Act(word.lower())
    die = _DIE.search(rest)
    label = " ".join(_DIE.sub(" ", rest, count=1).split()) if die else rest
    if (label and act is Act.DOOM) or _DIE.search(label):
        return None
    return SfxPart(act, label, size_of(die[0], sizes) if die else ACTS[act].first)


def _require_known(typed: str, what: Words, sizes: Ladder, near: NearForms) -> None:
    """Refuse what is none of the words and no mere words either, and a doom die that is a d4 (M1, X1)."""
    one = part(typed, sizes)
    is_die = one.act in (Act.DOOM, Act.FROM_DOOM) or (one.act is Act.TO_DOOM and not one.label)
    if is_die and one.die < 6:
        raise NotAllowed("The {doom_pool.one} can't hold a d4. Use d6 or larger.")
    if one.act is Act.PP and (_TAKES if what is BENEFIT else _GIVES).match(typed):
        raise Unreadable(
            "{typed} isn't a {what}: you pay a cost, and gain a benefit. Example: 1 PP",
            typed=shorten(typed),
            what=what,
        )
    if one.act is Act.PUSH and what is COST:
        raise Unreadable("Pushing {stress.one} is a benefit, not a cost.")
    if one.act is Act.HITCH and what is BENEFIT:
        raise Unreadable("{hitch.A} is a cost, not a benefit. Example: benefit:add d6 cost:hitch")
    if one.act is not Act.WORDS or _QUOTED.fullmatch(typed):
        return
    if fold(typed) in ("doom die", "a doom die", "doom dice"):
        raise Unreadable(
            "{typed} could mean paying a die or adding a die. {gmc.A} pays 1 {plot_point.short} with "
            "{doom_pool.a_short} die; {doom_pool.short} d6 adds a die. Example: {option}:1 PP",
            typed=shorten(typed),
            option=what.text,
        )
    if not _bare(typed):
        raise Unreadable(
            'There are no words between the quotation marks. Example: {option}:"{whole}"',
            option=what.text,
            whole=_WORDS,
        )
    raise Unreadable(
        "{typed} isn't a {what}. Try {near}, or put it in quotation marks to keep it as plain text: "
        '"{whole}"',
        typed=shorten(typed),
        what=what,
        near=one_of([*islice(near(typed, what), 3)]),
        whole=_bare(typed),
    )


def near_forms(
    typed: str,
    what: Words,
    trait: str = "Mind",
    trouble: str = "Angry",
    works: Callable[[SfxPart], bool] = lambda form: True,
) -> Iterator[Phrase]:
    """Yield the forms of a benefit or cost that work, with these traits, those most like `typed` first.

    >>> next(map(str, near_forms("split Mind", BENEFIT)))
    'up Mind'
    """
    forms: dict[str, tuple[str, Words]] = {}
    for form, said in (_COSTS if what is COST else BENEFITS).items():
        example = str(said.values.get("trait", ""))
        name = trouble if example == "Angry" else trait
        if not example:
            forms[form] = form, said
        elif name:
            # What was typed may be like the example, or have the trait in it.
            text = form.replace(example.casefold(), name.casefold())
            forms[form] = forms[text] = text, Words(said.text, trait=name)
    near = get_close_matches(typed.casefold(), forms, n=len(forms))
    found = dict(forms[form] for form in (*near, "add d6", "reroll", "1 pp"))
    return (said for text, said in found.items() if works(part(text, ALL_SIZES)))


def has_use(act: Act, rules: Ruleset) -> bool:
    """Return whether what an SFX does means something at a table with these rules."""
    if act is Act.SAFE:
        return rules.safe_dice
    if act is Act.PUSH:
        return rules.push_stress is not PushStress.OFF
    if act in (Act.DOOM, Act.UP_DOOM, Act.DOWN_DOOM, Act.FROM_DOOM, Act.TO_DOOM):
        return rules.doom
    if act is Act.TOTAL:
        return _with_kept(rules)
    return act not in (Act.EFFECT, Act.EFFECT_UP) or _with_effect_die(rules)


BENEFITS: Mapping[str, Words] = {
    "1 pp": Words("1 {plot_point.short}"),
    "add d6": Words("add d6"),
    "double mind": Words("double {trait}", trait="Mind"),
    "safe mind": Words("safe {trait}", trait="Mind"),
    "up mind": Words("up {trait}", trait="Mind"),
    "down angry": Words("down {trait}", trait="Angry"),
    "up theirs": Words("up theirs"),
    "down theirs": Words("down theirs"),
    "up doom": Words("up {doom_pool.short}"),
    "down doom": Words("down {doom_pool.short}"),
    "from doom d8": Words("from {doom_pool.short} d8"),
    "to doom d8": Words("to {doom_pool.short} d8"),
    "to doom mind": Words("to {doom_pool.short} {trait}", trait="Mind"),
    "reroll": Words("reroll"),
    "remove d8": Words("remove d8"),
    "remove mind": Words("remove {trait}", trait="Mind"),
    "remove highest": Words("remove highest"),
    "remove 1s": Words("remove 1s"),
    "total": Words("total"),
    "effect": Words("effect"),
    "effect up": Words("effect up"),
    "asset d8": Words("{asset.one} d8"),
    "complication d8": Words("{complication.one} d8"),
    "doom d6": Words("{doom_pool.short} d6"),
    "opportunity": Words("{opportunity.one}"),
    "push angry": Words("push {trait}", trait="Angry"),
    "shut down claws": Words("shut down {trait}", trait="Claws"),
}
"""What can be typed as a benefit, with an example of its words."""


_COSTS: Mapping[str, Words] = {
    **{typed: said for typed, said in BENEFITS.items() if typed != "push angry"},
    "hitch": Words("{hitch.one}"),
}


def _bare(typed: str) -> str:
    """What was typed, short and without its quotation marks."""
    return " ".join(shorten(typed.replace('"', " "))[1:-1].split())


def _list(typed: str, what: Words, sizes: Ladder, near: NearForms) -> tuple[str, ...]:
    """Costs or benefits as typed, parted by commas or plus signs."""
    straight = typed.replace("“", '"').replace("”", '"')
    if straight.count('"') % 2:
        raise Unreadable(
            "{typed} has an odd number of quotation marks. Put one before and one after your words. "
            'Example: {option}:"{whole}"',
            typed=shorten(straight),
            option=what.text,
            whole=_bare(straight) or _WORDS,
        )
    said = [clean(each, what, 80) for each in _ONE.findall(straight) if each.strip()]
    for each in said:
        _require_known(each, what, sizes, near)
    found = tuple(write_part(part(each, sizes)) for each in said)
    if len(found) > MOST_PARTS:
        raise NotAllowed(
            "The {what} of an SFX can have at most {most_parts} parts.", most_parts=MOST_PARTS, what=what
        )
    return found


class Placeholder(StrEnum):
    """A blank in a template, to be filled with the name of a trait."""

    TRAIT = "trait"
    OTHER = "other"
    """Another trait than the first."""
    TROUBLE = "trouble"
    """A complication or stress."""


class Template(StrEnum):
    """A common kind of SFX that only needs a name and its traits."""

    STEP_UP = "step up"
    DOUBLE = "double"
    TRADE = "trade"
    STRAIN = "strain"
    RISK = "risk"
    OVERLOAD = "overload"
    BARGAIN = "bargain"
    SAFE = "safe"
    PUSH = "push"
    WEAKEN = "weaken"
    REROLL = "reroll"
    TOTAL = "total"
    EFFECT = "effect"
    EFFECT_UP = "effect up"
    FLURRY = "flurry"
    ASSET = "asset"
    COMPLICATION = "complication"
    RECOVER = "recover"
    CALM = "calm"
    OPPORTUNITY = "opportunity"
    SHUT = "shut down"
    HITCH = "hitch"
    TRIGGER = "trigger"


def _always(rules: Ruleset) -> bool:
    return True


def _with_doom(rules: Ruleset) -> bool:
    return rules.doom


def _with_effect_die(rules: Ruleset) -> bool:
    return rules.effect is EffectBy.DIE


def _with_kept(rules: Ruleset) -> bool:
    return rules.effect is not EffectBy.ALL_DICE


class Filled(Value):
    """The benefit and cost of a template as `/sfx add` takes them, with placeholders in braces.

    `places` are its placeholders in the order in which they are filled.
    """

    benefit: str
    cost: str = ""
    places: tuple[Placeholder, ...] = ()
    is_offered: Callable[[Ruleset], bool] = _always
    """Whether a table with these rules can use it."""
    needs_when: bool = False
    """Without saying when, it would always do."""


_ONE_PP = "1 PP"


_ON_A_TRAIT = (Placeholder.TRAIT,)


TEMPLATES: Mapping[Template, Filled] = exhaustive(
    Template,
    {
        Template.STEP_UP: Filled("up {trait}", _ONE_PP, _ON_A_TRAIT),
        Template.DOUBLE: Filled("double {trait}", _ONE_PP, _ON_A_TRAIT),
        Template.TRADE: Filled("up {trait}", "down {other}", (Placeholder.TRAIT, Placeholder.OTHER)),
        Template.STRAIN: Filled("add d6", "down {trait}", _ON_A_TRAIT),
        Template.RISK: Filled("add d6", "complication d6"),
        Template.OVERLOAD: Filled("double {trait}", "shut down {trait}", _ON_A_TRAIT),
        Template.BARGAIN: Filled("double {trait}", "doom d6", _ON_A_TRAIT, _with_doom),
        Template.SAFE: Filled("safe {trait}", _ONE_PP, _ON_A_TRAIT, lambda rules: rules.safe_dice),
        Template.PUSH: Filled("push", is_offered=lambda rules: rules.push_stress is not PushStress.OFF),
        Template.WEAKEN: Filled("down theirs", _ONE_PP),
        Template.REROLL: Filled("reroll", _ONE_PP),
        Template.TOTAL: Filled("total", _ONE_PP, is_offered=_with_kept),
        Template.EFFECT: Filled("effect", _ONE_PP, is_offered=_with_effect_die),
        Template.EFFECT_UP: Filled("effect up", _ONE_PP, is_offered=_with_effect_die),
        Template.FLURRY: Filled("add d6, total", "remove highest", is_offered=_with_kept),
        Template.ASSET: Filled("asset d{die}", _ONE_PP),
        Template.COMPLICATION: Filled("complication d6", _ONE_PP),
        Template.RECOVER: Filled("down {trouble}", _ONE_PP, (Placeholder.TROUBLE,)),
        Template.CALM: Filled("down doom", _ONE_PP, is_offered=_with_doom),
        Template.OPPORTUNITY: Filled("asset d{die}, opportunity"),
        Template.SHUT: Filled(_ONE_PP, "shut down {trait}", _ON_A_TRAIT),
        Template.HITCH: Filled(_ONE_PP, "hitch"),
        Template.TRIGGER: Filled(_ONE_PP, needs_when=True),
    },
)


def can_be_named(trait: str) -> bool:
    """Return whether an SFX can name this trait: not if its label would be split or read as something else.

    >>> can_be_named("Quick Wits"), can_be_named("Cut + Run"), can_be_named("theirs")
    (True, False, False)
    """
    words = [f"{act} {trait}" for act in (Act.UP, Act.DOWN, Act.SHUT)]
    try:
        read = new_sfx("SFX", ", ".join(words))
    except RuleError:
        return False
    return [each.label for each in parts_of(read)] == [" ".join(trait.split())] * len(words)


def fill_template(
    template: Template,
    name: str,
    traits: Sequence[str] = (),
    when: str | None = None,
    sizes: Ladder = SIZES,
) -> Sfx:
    """Return the SFX made from a template, with its traits in the order of the template's places.

    >>> write(fill_template(Template.TRADE, "All in", ["Mind", "Body"], "alone"))
    'All in: up Mind, for down Body, when alone'
    >>> write(fill_template(Template.HITCH, "Jinx"))
    'Jinx: 1 PP, for hitch'

    Raises Unreadable for a wrong number of traits or a missing `when`; NotAllowed for a trait that an SFX
    can't name, or the same trait twice.
    """
    of = TEMPLATES[template]
    named = [each.strip() for each in traits if each.strip()]
    if len(named) != len(of.places):
        raise Unreadable(
            "{name} needs {needed}, but {given} named.",
            name=name,
            needed=counted(len(of.places), "{count} trait", "{count} traits"),
            given=counted(len(named), "{count} is", "{count} are"),
        )
    if odd := next((each for each in named if not can_be_named(each)), None):
        raise NotAllowed(
            "An SFX can't name {trait}: it's too long, or contains something like a comma.",
            trait=shorten(odd),
        )
    if len({*map(fold, named)}) < len(named):
        raise NotAllowed("One trait steps up and another steps down, so name two different traits.")
    if of.needs_when and not (when and when.strip()):
        raise Unreadable("Say when the SFX gives {plot_point.a_short}.")
    filled = dict(zip(of.places, named, strict=True))
    benefit, cost = (text.format(**filled, die=example_size(sizes)) for text in (of.benefit, of.cost))
    return new_sfx(name, benefit, cost, when, sizes=sizes)
