const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Legal forms after the name of a company. Their dots are optional. */
export const LEGAL_FORMS: readonly string[] =
  'incorporated inc corporation corp company co. limited ltd l.l.c. l.l.p. l.p. p.l.c. p.l.l.c. p.b.c. p.c. n.a. gmbh s.a. ag'.split(
    ' ',
  );

/** Words for the kind of an organization, which short names omit: "Great Lakes" is the "Great Lakes Bank". */
export const BUSINESS_WORDS = setOf(`
  airlines airways alliance america americas assurance authority bancorp bank banking bankshares brands capital care
  center centre clinic co college communications company computing consulting corp corporation credit dynamics
  electric energy engineering enterprise enterprises entertainment finance financial foods foundation group health
  healthcare holding holdings hospital hospitals inc industries institute insurance international laboratories labs
  llc logistics ltd management manufacturing media medical motors mutual network networks partners pharma
  pharmaceutical pharmaceuticals products railroad realty resources restaurants retail school schools securities
  services software solutions staffing stores studios systems technologies technology telecom trust union university
  usa utilities ventures`);

/** Words in company names that usually mean something else in a text. */
export const ORDINARY_WORDS = setOf(`
  a able about above academy access accurate action active advance advanced agency agile air all allied allstate ally
  alpha american analytics apex apple applied arrow art asset associated atlantic atlas auto automatic aviation bay beacon
  best beta big black block blue board bold bridge bright broad brown business buy capital capitol cardinal carrier center
  central century chase chief choice church circle citizens city clean clear client cloud coast colonial color columbia
  commerce commercial common commonwealth community compass complete comprehensive computer connect consumer continental
  contract core corner council country county creative cross crown customer data delta department dependable design
  developer digital direct discover discovery district diversified division dollar dominion double dream drive dynamic
  eagle early east eastern easy edge education elite emerald employee employer endeavor engineer ensemble enterprise
  environmental equity essential ever evergreen every exact excel exchange executive expert express factory family farm
  farmers fast federal fidelity field fire first five flag flat fleet flex focus food force forest fortune forward four
  free freedom freight fresh frontier full fund fusion future gap garden gate gateway general genesis global globe gold
  golden good government grand gray great green ground growth guardian guide harbor hard heart heritage high highway
  home homeland horizon host hotel house human idea image impact independence independent industrial infinite information
  innovation innovative insight integrated integrity intelligent inter interstate investment iron island job journey
  jet just key keystone kids kind king lake land large law lead leader leading legacy level liberty life lifetime light
  lightning line link lion liquid little live local logic long lookout loyal lucky magellan magic main major manager
  market master match matrix maximum mercury meridian merit meta metro mid midland midwest mile minute mission mobile
  model modern momentum money monster morning mountain multi mustang national nation nations nationwide natural navigator
  new next noble north northeast northern northwest nova now oak ocean office omega omni one online open optimum option
  orange orbit oriental origin outlook over pacific palm paradigm paramount park partner patient payment peak pen people
  perfect performance personal phoenix pilot pine pinnacle pioneer planet platform platinum point polar port post power
  precision preferred premier premium prestige pride primary prime principal priority private pro professional
  progress progressive project property prospect provider prudent public pulse pure purple quality quantum quest quick
  radiant radio rain rainbow range rapid raven ready real recruiter red regal regional regions reliable reliance
  renaissance republic research reserve resource response result right ring rise river road robust rock rocket role royal safe
  safety sage science scientific sea search season secure security select senior sense sentinel service seven shell
  shield ship sierra sigma signal signature silver simple single six sky slack smart smooth snow social soft solar solid
  solution sonic source south southeast southern southwest space spark special specialized spectrum speed spirit
  sprint square staff standard star state states station steel sterling stone storm stratus stream street strategic
  strong student summit sun super superior supply support sure surface swift synergy target task team tech technical
  tempo ten texas the think three tiger time title top total tower town trade trading transit transport travel treasury
  tree triangle tribune trident trinity triple triumph true truth turn twin two ultimate ultra unified unique unit united
  unity universal university urban us valley value vanguard vector venture verity vertex victory view village virtual visa vision
  vista vital voice volunteer wall water wave way wealth web wells west western whole wide wild wind window wire wise
  women wood work workforce world yellow york young zenith zero zone zoom`);
