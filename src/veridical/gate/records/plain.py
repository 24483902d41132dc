"""English words that describe or join and say nothing that a record could bear out.

What is offered is looked for in the record unless it is made of such words alone.
"""

from veridical.gate.records.word import root

_WORDS = """
a ability able about absence acceptable acceptance accepted access accessibility accessible
acclaim accommodates accommodations according accuracy acknowledged across activities added
adding addition additionally adjacent adjustment adults advantage advantages advertised
advised affecting after afternoon again alike all allegedly allows almost along alongside also
alternatives although always amazing ambiance ambience amenities amenity among ample an and
another any anyone anything appealing appears applauding appreciate appreciation approach
approximately are area areas around array arrived as ask asked asks aspect aspects associated
assortment at atmosphere attempts attention attentive attentiveness attract attractive aura
authentic authenticity availability available average award aware awesome awful back bad
balanced bar base based basic be been before behavior being benefit benefits best better
between beverage beverages beyond big bit bite bites blend bonus both brand brands broad
business but by cafe calling came can carries case casual caters caused celebrated center
certain challenges chance changes character characterized charm charming cheerful children
choice choices cite cited citing claims classic clear clientele closed closure combination
come comes comfort comfortable coming commendable commended comments commitment common
communication community company comparable compared complained complaints complemented
complimentary compliments component concept concern concerns concise condiment confirmed
conflicting confusion consider considered consistency consistently containing contention
continuing contrast contributing convenience convenient conversely correctly could countless
couples courteous covers creating creative critical criticisms criticized critiqued critiques
crowd cuisine cuisines culinary current customer customers daily data dated day days decent
decision decline decor dedicated deemed delays delicious delights demeanor departure depending
derived described designated designed desire despite destination detail details did different
difficulty dine diners dining dinner directly disappointed disappointment discrepancies dish
dishes dissatisfaction dissatisfied distinctive diverse do does drawbacks draws drink drinks
due during each early earned efficient efforts elegant elements emphasis emphasizing employee
encounter encountered encouraging endless engaging enhancing enjoy enjoyable enjoyed enjoyment
ensure entertainment enthusiasm enthusiastic enthusiasts environment equipped errors
especially essential establishment etc even evening events ever every everyone everything
example exceeded excellent except exceptional excessive exclusively executed execution exists
expected experienced experiences expertise explicitly express expressed extended extensive
external extra extras extremely fabulous faced faces faceted facilities facility factor
factors falls families family fan fans fantastic fare favorable favorably favored favorites
favourites feature features feedback feel feeling felt festive final finding fine first five
flavor flavorful flexibility focus focused following food foods for former found four
frequently fresh friendliness friendly friends from frustration fulfillment full fun functions
future garnered gatherings gave geared generally generous generously get gets getting give
given gives giving global go goers goes going good goods got great guests had hand handling
has have having he helpful her here hiccups high higher highlight highly him his holds home
homely homemade homey hospitality hosts hotel house however ideal if impacted importance
important impression impressions impressive improperly improved improvement in inaccuracies
inadequate inattentive incident including inconsistencies inconsistent incorrect indicate
individual indoor indoors influenced information ingredients initial innovative inside
insights inspired instance insufficient intent intention interaction interactions interior
international into inventive inviting involving is isolated issue issues it item items its
itself just keeps key kids kind kinds knew know knowledge knowledgeable known knows lack
lackluster laid lapses large larger last late later latest latter laughter leading leaning
least leaving led lengthy less level light like liked likely limited listed little lively
local located location long longer look looked looking looks loss lot lots lovely lover lovers
low loyal loyalty lunch made main maintain maintains maintenance major majority make making
management many marks may maybe me meal meals mediocre meet member memorable memories mention
mentioned menu menus mid might minimal minor mishandled missing mistakes mix mixed model
moderate modern moment month monthly months mood more morning most multi multifaceted multiple
my named nature near nearby need negative negatively never new next nice night nightly nights
no non none noon nor not notable notably note noted nothing noticeable noting now numerous
objective observed occasional occasions of off offer offering offerings offers often okay old
on once one only open operates operation opinions opportunities opportunity option options or
orders organisation organization oriented other others our out outdated outdoor outdoors
outlet outside outstanding over overall overly overview owners paired part particularly parts
passion past patron patrons peak people per perceived perfect performances perhaps periods
perk perks person personal personalized perspectives picture piece place plans plays pleasant
pleasure plentiful plenty plus point points policies polite poor poorly popular popularity
portion portions positioning positive positively possible possibly posted potential practical
practices praised preferences preferred premises preparation presence present previous
previously primarily private problems process product products professional professionalism
professionals profile program prompt promptly proper provides proximity quaint quality
quantity question questioned quick quite raised range rate rated rather rating rave raved
really reasonable received recent reception recognized recommended recounts recurring reduced
referencing refers refined reflect regarding regional regular rejuvenation related relative
relatively relaxation relaxed reliability reliable remain remains remarks repeated report
reported reports reputation requests required resolve response responsiveness restaurant
resulting return returning reveal role room run rustic sadness safety said same sample
satisfaction satisfactory satisfied satisfying saw say says scene scenic seasonal second see
seekers seeking seems seen sees selection selections sentiment separate serious serves service
services set setting settings setup seven several share she shop short shorter should show
showcasing side sides signature significant simple single site situated situation sized sizes
skill skills slightly small snapshot so social solely solid some somebody someone something
sometimes somewhat sophisticated sort space spaces spanning special speciality specializing
specialties specialty specific specifically specified speed spot staff standard standards
standout stands starting status staying still stop store straightforward strengths strict
strong structured struggle students style stylish subpar substantial successful such suggest
suggesting suitability suitable suited summary superb support sure surroundings sustainability
system take takes taking tall taste tasty tell tells tempered term terrible than that the
their theirs them there these they thing things think thinks third this those though thought
three through throughout time times timing to today told tonight too took top touches tourists
toward traditional travelers travellers treat treats tried tries true truly try trying twice
two type typically ultimately unable unavailable unclear under uneven unexpected unique
unlikely unpretentious unprofessional unremarkable unresponsive unsatisfactory unspecified
until up updated upon ups us use used using value valued variability variable varied variety
various varying venue versatile very via vibe vibes vibrant views visitors visits waitstaff
want wanted wants warm warns was way ways we week weekday weekdays weekends weekly weeks
welcoming well went were what when where which while who wide widely willingness with within
without wonderful work worked works worst year years yes yet you young your yummy
sweet savory savoury reliable source
cozy cosy homely peaceful escape evident evidently tranquil serene
"""

PLAIN = frozenset(root(word) for word in _WORDS.split())
"""As roots."""
