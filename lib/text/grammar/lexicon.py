"""The words of the grammar: nouns by kind, the forms of verbs, adjectives by what they fit.

A noun's kind says what can be done with it: `lib.text.grammar.frames` lets people open what is of kind a door
and cats chase mice, so that the sentences make sense.
"""

from typing import NamedTuple


def words(text: str) -> frozenset[str]:
    """The words of a line as a set."""
    return frozenset(text.split())


# --- nouns ----------------------------------------------------------------------------------------

# kind: (type of entity, nouns). A star marks what cannot be counted, an equals sign what is always plural.
NOUNS: dict[str, tuple[str, str]] = {
    "woman": ("person", "girl woman lady"),
    "man": ("person", "boy man gentleman"),
    "female_kin": ("person", "mother sister aunt grandmother daughter"),
    "male_kin": ("person", "father brother uncle grandfather son"),
    "worker": (
        "person",
        "teacher doctor nurse baker farmer gardener driver painter writer singer cook waiter tailor "
        "carpenter mechanic pilot sailor soldier lawyer judge reporter librarian photographer musician "
        "scientist guard clerk butcher barber plumber artist captain secretary engineer",
    ),
    "other": ("person", "friend neighbor child guest visitor tourist customer student stranger"),
    "outsider": ("person", "patient witness"),
    "children": ("person", "children="),
    "pet": ("animal", "dog cat puppy kitten"),
    "small_pet": ("animal", "rabbit parrot hamster turtle"),
    "farm_animal": ("animal", "cow horse pig goat donkey sheep pony"),
    "poultry": ("animal", "hen duck goose rooster"),
    "wild_animal": ("animal", "fox wolf bear deer lion tiger elephant monkey"),
    "little_animal": ("animal", "mouse squirrel frog rat snake"),
    "bird": ("animal", "bird crow owl sparrow pigeon eagle hawk swan robin"),
    "insect": ("animal", "bee spider butterfly fly ant"),
    "fish": ("animal", "trout salmon fish"),
    "monster": ("animal", "dragon"),
    "fruit": ("food", "apple pear orange peach plum cherry lemon banana"),
    "vegetable": ("food", "carrot potato onion tomato bean cabbage pumpkin"),
    "baked": ("food", "bread* cake pie cookie loaf pancake muffin"),
    "dish": ("food", "soup* stew* salad omelet sandwich pizza pasta* rice* sausage"),
    "sauce": ("food", "sauce"),
    "drink": ("food", "coffee* tea* milk* juice* water* lemonade* cocoa*"),
    "groceries": ("food", "cheese* butter* honey* egg sugar* jam* flour* meat* chocolate*"),
    "meal": ("food", "breakfast* lunch* dinner*"),
    "reading": ("thing", "book letter newspaper magazine novel poem story diary note postcard report"),
    "paper": ("thing", "map contract lesson"),
    "pen": ("thing", "pen pencil brush"),
    "tool": ("thing", "hammer saw ladder rope knife shovel axe drill"),
    "dishes": ("thing", "cup plate bowl glass mug"),
    "kitchenware": ("thing", "pot pan spoon kettle bottle tray"),
    "container": ("thing", "box bag basket suitcase purse backpack bucket"),
    "cabinet": ("thing", "cabinet cupboard drawer closet wardrobe safe chest"),
    "furniture": ("thing", "table desk chair bench shelf bed sofa"),
    "opening": ("thing", "door window gate"),
    "clothes": ("thing", "coat hat scarf shirt sweater jacket glove boot shoe sock cap"),
    "gown": ("thing", "dress apron"),
    "jewelry": ("thing", "ring necklace watch bracelet coin"),
    "valuable": ("thing", "key ticket wallet passport"),
    "car": ("thing", "car truck bus van taxi tractor"),
    "cycle": ("thing", "bicycle motorcycle"),
    "wagon": ("thing", "wagon"),
    "vessel": ("thing", "boat ship ferry"),
    "craft": ("thing", "train plane"),
    "toy": ("thing", "ball doll kite puzzle balloon"),
    "instrument": ("thing", "piano guitar violin drum flute trumpet"),
    "device": ("thing", "clock lamp radio camera computer television machine engine stove oven"),
    "pipe": ("thing", "pipe"),
    "household": ("thing", "blanket towel candle mirror umbrella curtain carpet broom"),
    "picture": ("thing", "picture painting photograph drawing portrait poster"),
    "flower": ("thing", "flower rose tulip daisy lily"),
    "tree": ("thing", "tree bush oak"),
    "growth": ("thing", "grass* hay* wood*"),
    "found": ("thing", "stone leaf feather shell stick"),
    "part": ("thing", "roof wall floor"),
    "built": ("thing", "fence tent fire nest hole"),
    "room": ("place", "kitchen bedroom bathroom hall attic cellar garage office classroom"),
    "house": ("place", "house cottage barn castle cabin"),
    "public": (
        "place",
        "school church library museum hospital hotel restaurant theater station bank airport",
    ),
    "shop": ("place", "shop bakery store market pharmacy"),
    "outdoors": ("place", "garden park forest field meadow beach yard orchard"),
    "water_place": ("place", "river lake pond sea stream"),
    "land": ("place", "hill mountain island valley cave"),
    "town": ("place", "town village city"),
    "way": ("place", "street road path bridge square"),
    "thought": ("thing", "idea plan question answer problem secret joke mistake promise"),
    "song": ("thing", "song tune melody"),
    "event": ("thing", "game race contest accident party"),
    "sight": ("thing", "sunset"),
    "weather": ("thing", "rain* snow* wind* fog* weather*"),
    "storm": ("thing", "storm"),
    "money": ("thing", "money*"),
}

NAMES: dict[str, str] = {  # the pronoun: names
    "she": "Anna Mary Emma Lucy Sarah Alice Julia Helen Laura Kate Grace Rose Nina Clara Ellen Maria Ruth",
    "he": "Tom Ben Peter David Paul Jack Henry Daniel Sam Oscar George Frank Leo Martin Eric Simon Adam",
}
CITIES = "London Paris Rome Berlin Boston Chicago Vienna Madrid Dublin Tokyo"

# Kinds that frames name together. What stands there twice is drawn twice as often.
KINDS: dict[str, str] = {
    "person": "name name name name woman woman man man worker worker other female_kin male_kin",
    "kin": "female_kin male_kin",
    "animal": "pet farm_animal wild_animal bird",
    "meal_food": "baked dish fruit",
    "small": "valuable jewelry toy clothes",
    "portable": "valuable jewelry reading pen toy clothes dishes tool fruit flower picture container",
    "kept": "valuable jewelry reading tool toy clothes",
    "wares": "fruit vegetable baked groceries flower clothes reading picture furniture jewelry toy",
    "town_place": "shop public park market lake beach",
    "town_way": "street square park town village",
}

PLURALS = {
    "woman": "women",
    "man": "men",
    "gentleman": "gentlemen",
    "child": "children",
    "goose": "geese",
    "mouse": "mice",
    "sheep": "sheep",
    "deer": "deer",
    "trout": "trout",
    "salmon": "salmon",
    "fish": "fish",
    "wolf": "wolves",
    "knife": "knives",
    "loaf": "loaves",
    "shelf": "shelves",
    "leaf": "leaves",
    "scarf": "scarves",
    "potato": "potatoes",
    "tomato": "tomatoes",
}

FEMININE = words("girl woman lady mother sister aunt grandmother daughter")
MASCULINE = words("boy man gentleman father brother uncle grandfather son waiter")
UNCOUNTED = {noun[:-1] for _, nouns in NOUNS.values() for noun in nouns.split() if noun[-1] == "*"}
ONLY_PLURAL = {noun[:-1] for _, nouns in NOUNS.values() for noun in nouns.split() if noun[-1] == "="}
NOUN_IN_KIND = {noun.rstrip("*="): kind for kind, (_, nouns) in NOUNS.items() for noun in nouns.split()}
TYPES = {kind: type_ for kind, (type_, _) in NOUNS.items()} | {"name": "person", "city_name": "place"}


def nouns_of(kind: str) -> list[str]:
    """The nouns of a base kind, or the noun itself."""
    return [noun.rstrip("*=") for noun in NOUNS[kind][1].split()] if kind in NOUNS else [kind]


def plural(noun: str) -> str:
    """The plural of a noun: "boxes", "children"."""
    if noun in ONLY_PLURAL or noun in PLURALS:
        return PLURALS.get(noun, noun)
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def go_together(first: str, second: str) -> bool:
    """Whether something can be both, as "small and old", but not "small and large"."""
    return first != second and not any(first in group and second in group for group in ONE_OF)


# --- verbs ----------------------------------------------------------------------------------------


class Verb(NamedTuple):
    """The five forms of a verb: see, sees, saw, seen, seeing."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str


IRREGULAR = """
begin began begun/bite bit bitten/break broke broken/bring brought brought/build built built
burn burned burned/buy bought bought/catch caught caught/choose chose chosen/come came come/cut cut cut
dig dug dug/do did done/draw drew drawn/drink drank drunk/drive drove driven/eat ate eaten
fall fell fallen/feed fed fed/find found found/fly flew flown/forget forgot forgotten
forgive forgave forgiven/get got got/give gave given/go went gone/grow grew grown/hang hung hung
have had had/hear heard heard/hide hid hidden/hit hit hit/keep kept kept/know knew known/lead led led
leave left left/lend lent lent/lie lay lain/light lit lit/lose lost lost/make made made/meet met met
pay paid paid/put put put/read read read/ride rode ridden/ring rang rung/run ran run/say said said
see saw seen/sell sold sold/send sent sent/sew sewed sewn/show showed shown/sing sang sung/sit sat sat
sleep slept slept/stand stood stood/steal stole stolen/sweep swept swept/swim swam swum/take took taken
teach taught taught/tell told told/think thought thought/throw threw thrown
understand understood understood/wake woke woken/wear wore worn/win won won/write wrote written
"""
_FORMS = {row.split()[0]: row.split()[1:] for row in IRREGULAR.strip().replace("\n", "/").split("/")}
# One syllable, one vowel, one consonant, and those stressed at their end: the consonant is doubled.
_DOUBLED = words(
    "begin chop cut dig drop forget get hit hug knit plan put run shop sit stir stop swim win wrap"
)


def verb(base: str) -> Verb:
    """All forms of a verb from its base."""
    if base == "be":
        return Verb("be", "is", "was", "been", "being")
    sibilant = base.endswith(("s", "x", "z", "ch", "sh", "o"))
    soft = base.endswith("y") and base[-2] not in "aeiou"
    third = {"have": "has"}.get(base) or (
        base + "es" if sibilant else base[:-1] + "ies" if soft else base + "s"
    )
    stem = base + base[-1] if base in _DOUBLED else base
    regular = base + "d" if base.endswith("e") else base[:-1] + "ied" if soft else stem + "ed"
    past, participle = _FORMS.get(base, [regular, regular])
    silent = base.endswith("e") and not base.endswith(("ee", "ye", "oe"))
    gerund = "lying" if base == "lie" else (base[:-1] if silent else stem) + "ing"
    return Verb(base, third, past, participle, gerund)


# A person who says, knows or wants something: what follows is a clause of its own.
THAT_VERBS = "say think know believe hope remember"
TO_VERBS = "want try hope decide plan promise"
ASK_VERBS = "ask tell help"  # somebody to do something
# What is over as soon as it happens: not "is losing", not "loses every day".
ONCE = words(
    "lose forget miss find see hear drop break spill win solve arrive steal meet invite catch be have "
    "know return finish damage bite attack live want recognize forgive surprise smell burn like admire "
    "trust tell give"
)
# Kinds of which one is spoken of at a time, and those that somebody may own.
SINGLE = words(
    "mother father grandmother grandfather room public shop outdoors water_place device instrument storm "
    "craft sauce"
)
ACCIDENTS = words("lose forget miss find see hear drop break spill burn smell like trust admire recognize")
OWNED = words("valuable jewelry clothes gown toy car cycle pet picture container house")

# --- adjectives and adverbs -----------------------------------------------------------------------

# What stands before a noun, by the noun, its kind, or the type of entity.
ADJECTIVES: dict[str, str] = {
    "person": "young old tall kind clever friendly quiet polite busy honest famous",
    "other": "young old tall friendly quiet polite curious nervous",
    "female_kin": "kind clever friendly funny",
    "male_kin": "kind clever friendly funny",
    "child": "little shy clever happy lonely",
    "animal": "small big young brown black white gray old",
    "wild_animal": "wild hungry big young dangerous",
    "pet": "little lazy friendly hungry brown black white clever",
    "bird": "small white black young beautiful",
    "insect": "tiny little black yellow",
    "monster": "terrible green old",
    "food": "fresh small big",
    "fruit": "ripe sweet red fresh sour juicy",
    "vegetable": "fresh big ripe cheap",
    "baked": "warm fresh sweet delicious",
    "dish": "hot delicious simple spicy",
    "drink": "hot cold fresh",
    "lemonade": "cold sweet",
    "water": "cold clear warm",
    "egg": "fresh brown large",
    "thing": "old new small",
    "reading": "long short interesting old funny strange",
    "picture": "beautiful old large colorful strange famous",
    "clothes": "red blue green warm new wool old gray yellow",
    "gown": "blue lovely elegant old",
    "jewelry": "golden silver beautiful expensive old",
    "valuable": "old new",
    "tool": "sharp heavy rusty old new",
    "ladder": "long wooden heavy",
    "container": "heavy small empty leather large",
    "cabinet": "wooden tall old narrow heavy",
    "furniture": "wooden old comfortable broken heavy",
    "dishes": "clean blue white broken dirty",
    "kitchenware": "clean large dirty old",
    "car": "fast old red white expensive",
    "vessel": "wooden small white old",
    "device": "broken modern old noisy cheap new",
    "toy": "red colorful new little",
    "flower": "yellow red white lovely pink",
    "tree": "tall old green",
    "found": "smooth white gray pretty",
    "place": "quiet small large old",
    "room": "dark bright clean cold large empty",
    "house": "old small lonely large pretty",
    "town": "small busy beautiful pretty old",
    "outdoors": "beautiful quiet green large",
    "land": "green steep distant lonely",
    "island": "small lonely distant",
    "thought": "good strange simple difficult silly",
    "mistake": "silly strange small simple",
    "joke": "good old silly funny",
    "secret": "strange old terrible",
    "promise": "old strange",
    "paper": "long short important",
    "map": "old small strange",
    "song": "sad cheerful famous old lovely",
    "accident": "serious terrible strange",
    "game": "difficult long exciting",
}
ONE_OF = (  # adjectives of which a thing is one at most
    words("small big large little tiny tall short long narrow"),
    words("old new young modern"),
    words("red green blue yellow white black brown gray pink colorful golden silver"),
    words("hot cold warm"),
    words("clean dirty"),
    words("cheap expensive"),
    words("broken fast comfortable sharp noisy"),
    words("wild lazy"),
    words("quiet busy"),
    words("sweet sour"),
    words("empty heavy full"),
)
NO_ADJECTIVE = words("part event meal money storm weather growth sight built children pen pipe sauce")
FEELINGS = (
    "happy sad tired hungry angry nervous proud sick surprised worried excited thirsty late lonely bored"
)
# What something is said to be, by the noun, its kind, or the type of entity.
STATES: dict[str, str] = {
    "person": FEELINGS,
    "animal": "hungry tired thirsty asleep calm wet friendly dangerous",
    "pet": "hungry tired thirsty asleep wet friendly lazy",
    "food": "delicious fresh cheap expensive",
    "fruit": "ripe sweet sour fresh",
    "dish": "hot delicious cold salty",
    "baked": "warm sweet delicious fresh",
    "thing": "old new expensive missing useful",
    "reading": "interesting long boring missing expensive",
    "picture": "beautiful famous expensive old missing",
    "dishes": "dirty clean broken empty",
    "clothes": "dirty wet warm new comfortable missing",
    "tool": "sharp heavy useful broken missing",
    "device": "broken noisy expensive useful modern",
    "container": "empty full heavy open",
    "cabinet": "empty locked full open heavy",
    "opening": "open closed locked broken",
    "furniture": "comfortable heavy broken old",
    "car": "dirty fast expensive old",
    "vessel": "old slow fast small",
    "flower": "lovely red yellow beautiful",
    "toy": "broken new colorful missing",
    "place": "quiet dark closed open crowded",
    "room": "empty dark cold clean warm",
    "outdoors": "quiet beautiful empty wet",
    "town": "quiet crowded beautiful",
}
DEGREES = "very quite rather really"
UNGRADED = words("open closed missing asleep empty broken ready locked full")
FREQUENCY = "always often never sometimes usually rarely"
TIMES = "morning afternoon evening"
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
SEASONS = "spring summer autumn winter"
NUMBERS = "two three four five six"
