#include "web/site/words.h"

namespace bowerbird {

const std::string_view kCommonWords =
    "the of and to a in is that for it was on are as with at by this be from or have an they which you were "
    "her "
    "all she there would their we him been has when who will more no if out so said what up its about into "
    "than "
    "them can only other new some could time these two may then do first any my now such like our over man "
    "me even "
    "most made after also did many before must through back years where much your way well down should "
    "because "
    "each just those people how too little state good very make world still own see men work long get here "
    "between "
    "both life being under never day same another know while last might us great old year off come since "
    "against "
    "go came right used take three small often early later almost perhaps naïve café rather quite around "
    "again "
    "house part place morning evening week month simple clear open large young high late few several";

const std::array<Subject, kTopics> kTopicWords = {{
    {"gardens",
     "garden soil compost seed bulb hedge lawn rose tulip orchard pruning shade greenhouse mulch weed spade "
     "border "
     "fern ivy apple pear plum frost watering planting cutting blossom meadow trellis herb basil thyme"},
    {"cooking",
     "recipe kitchen flour butter sugar salt pepper oven bread soup stew roast sauce onion garlic lemon "
     "cheese egg "
     "milk rice noodle pastry crème pan kettle simmer slice whisk dough yeast spice vinegar"},
    {"railways",
     "railway station train platform engine carriage signal track timetable junction tunnel bridge freight "
     "steam "
     "diesel gauge driver guard ticket siding depot viaduct branch express sleeper points coal wagon buffer "
     "rail "
     "level crossing"},
    {"astronomy",
     "star planet comet galaxy telescope orbit moon eclipse nebula meteor lens mirror spectrum dwarf giant "
     "cluster "
     "parallax redshift dust ring crater solar lunar night sky observatory horizon zenith aurora satellite "
     "probe "
     "supernova"},
    {"music",
     "violin cello piano flute oboe horn drum sonata fugue opera chorus rhythm melody harmony chord scale "
     "string "
     "bow reed tempo concert rehearsal conductor score tune voice choir stage quartet prélude ballad march"},
    {"computing",
     "program compiler memory cache thread kernel network packet server client query index table pointer "
     "hash "
     "queue stack heap parser token buffer socket disk file byte protocol release version patch library "
     "module "
     "crawler"},
    {"birds",
     "bird bower nest feather wing beak egg flight song migration heron crane owl finch sparrow thrush wren "
     "swallow "
     "kestrel eagle gull plover marsh reed flock perch plumage moult ringing chick courtship display"},
    {"history",
     "king queen battle treaty empire castle abbey charter crown parliament siege colony revolt archive "
     "chronicle "
     "century reign duke bishop knight parish guild tax harbour trade plague reform union border emperor "
     "façade "
     "manuscript"},
    {"sailing",
     "sail mast keel rudder anchor harbour tide wind reef knot deck hull crew compass chart buoy jetty bay "
     "gale "
     "breeze voyage rope cabin oar ferry lock canal lighthouse pilot cargo storm swell"},
    {"mathematics",
     "theorem proof lemma integer prime graph vertex edge matrix vector field group ring limit series "
     "function "
     "integral measure set axiom algebra geometry circle angle curve surface chance random walk rank "
     "eigenvalue "
     "bound"},
    {"medicine",
     "doctor nurse clinic patient fever pulse lung heart blood bone muscle nerve vaccine dose tablet surgery "
     "ward "
     "trial symptom diet sleep pain remedy infection allergy scan tissue cell hormone virus recovery health"},
    {"football",
     "goal match league cup striker keeper referee penalty corner pitch stadium season transfer captain "
     "coach "
     "defender midfield header tackle offside whistle crowd derby draw final replay training bench injury "
     "squad "
     "supporter terrace"},
    {"weather",
     "rain snow frost fog cloud thunder storm drizzle sunshine pressure front forecast temperature humidity "
     "gust "
     "hail sleet drought flood climate barometer gauge isobar winter summer spring autumn breeze dew thaw "
     "lightning rainbow"},
    {"books",
     "novel author chapter poem reader library shelf publisher edition binding paper ink printer plot hero "
     "ending "
     "preface index review critic essay diary letter verse rhyme translation classic fable tale manuscript "
     "page "
     "bookshop"},
    {"mountains",
     "mountain summit ridge glacier valley pass path hut rope climb slope cliff peak snow scree stream pine "
     "map "
     "trail boots camp ledge crevasse altitude shepherd meadow cairn gorge waterfall rock col traverse"},
    {"law",
     "court judge jury witness statute clause contract appeal verdict sentence trial evidence counsel client "
     "claim "
     "damages trust estate deed tenant landlord licence permit tribunal hearing oath plea ruling precedent "
     "notary "
     "bail patent"},
}};

}  // namespace bowerbird
