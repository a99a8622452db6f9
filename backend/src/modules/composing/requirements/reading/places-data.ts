/** Codes of US states, Puerto Rico and Canadian provinces, keyed by lower-case name. */
export const STATES: Readonly<Record<string, string>> = {
  alabama: 'AL',
  alaska: 'AK',
  arizona: 'AZ',
  arkansas: 'AR',
  california: 'CA',
  colorado: 'CO',
  connecticut: 'CT',
  delaware: 'DE',
  'district of columbia': 'DC',
  florida: 'FL',
  georgia: 'GA',
  hawaii: 'HI',
  idaho: 'ID',
  illinois: 'IL',
  indiana: 'IN',
  iowa: 'IA',
  kansas: 'KS',
  kentucky: 'KY',
  louisiana: 'LA',
  maine: 'ME',
  maryland: 'MD',
  massachusetts: 'MA',
  michigan: 'MI',
  minnesota: 'MN',
  mississippi: 'MS',
  missouri: 'MO',
  montana: 'MT',
  nebraska: 'NE',
  nevada: 'NV',
  'new hampshire': 'NH',
  'new jersey': 'NJ',
  'new mexico': 'NM',
  'new york': 'NY',
  'north carolina': 'NC',
  'north dakota': 'ND',
  ohio: 'OH',
  oklahoma: 'OK',
  oregon: 'OR',
  pennsylvania: 'PA',
  'rhode island': 'RI',
  'south carolina': 'SC',
  'south dakota': 'SD',
  tennessee: 'TN',
  texas: 'TX',
  utah: 'UT',
  vermont: 'VT',
  virginia: 'VA',
  washington: 'WA',
  'west virginia': 'WV',
  wisconsin: 'WI',
  wyoming: 'WY',
  'puerto rico': 'PR',
  ontario: 'ON',
  quebec: 'QC',
  'british columbia': 'BC',
  alberta: 'AB',
};

export const STATE_CODES: ReadonlySet<string> = new Set(Object.values(STATES));

/** State codes that are also words. They count only after a comma or a known city. */
export const WORD_CODES: ReadonlySet<string> = new Set([
  'IN',
  'OR',
  'ME',
  'OK',
  'HI',
  'ON',
  'AB',
  'BC',
  'PR',
  'ID',
  'PA',
  'MA',
  'LA',
  'DE',
  'CO',
  'AL',
  'OH',
  'MS',
  'MD',
  'MI',
  'MO',
  'SD',
  'SC',
  'VA',
  'CA',
  'CT',
  'IA',
  'NE',
]);

/** Cities that job posts name, by state. A city is listed for every state with a well-known city of that name. */
const CITY_LINES = `
AL Birmingham,Huntsville,Montgomery,Mobile
AK Anchorage,Juneau
AZ Phoenix,Tempe,Scottsdale,Chandler,Mesa,Tucson,Gilbert,Glendale,Peoria
AR Little Rock,Bentonville,Fayetteville,Rogers,Conway,Lowell
CA San Francisco,Los Angeles,San Jose,San Diego,Sunnyvale,Santa Clara,Mountain View,Palo Alto,Menlo Park,Cupertino,Fremont,Oakland,Pleasanton,San Ramon,Irvine,Sacramento,Milpitas,Redwood City,San Mateo,Foster City,Burbank,Pasadena,Long Beach,Newport Beach,Costa Mesa,Thousand Oaks,Santa Monica,Culver City,Carlsbad,Rancho Cordova,Folsom,South San Francisco,Concord,Walnut Creek,Berkeley,El Segundo,Torrance,Anaheim,Santa Ana,Riverside,Fresno,Hayward,Emeryville,San Bruno,Los Gatos,Campbell,Woodland Hills,Calabasas,Ontario,Rosemead,Livermore,Dublin
CO Denver,Boulder,Colorado Springs,Aurora,Englewood,Littleton,Broomfield,Lone Tree,Greenwood Village,Westminster,Centennial,Fort Collins,Golden,Louisville
CT Hartford,Stamford,New Haven,Norwalk,Bloomfield,Farmington,Windsor,Bridgeport,Danbury,Greenwich,Middletown,Shelton,East Hartford,Wallingford,Ridgefield,Westport,Rocky Hill
DE Wilmington,Dover,Newark
DC Washington
FL Miami,Tampa,Orlando,Jacksonville,Tallahassee,Fort Lauderdale,St. Petersburg,Saint Petersburg,Boca Raton,Plantation,Clearwater,Lake Mary,Sunrise,West Palm Beach,Melbourne,Deerfield Beach,Maitland,Coral Gables,Doral,Juno Beach
GA Atlanta,Alpharetta,Duluth,Norcross,Marietta,Kennesaw,Savannah,Augusta,Columbus,Roswell,Smyrna,Sandy Springs,Johns Creek,Dunwoody,Peachtree City
HI Honolulu
ID Boise,Meridian
IL Chicago,Naperville,Schaumburg,Deerfield,Northbrook,Oak Brook,Springfield,Peoria,Bloomington,Lincolnshire,Downers Grove,Rosemont,Evanston,Itasca,Lisle,Warrenville,Riverwoods,North Chicago,Lake Forest,Moline,Hoffman Estates,Vernon Hills,Arlington Heights,Lombard
IN Indianapolis,Fort Wayne,Carmel,Columbus,Evansville,South Bend,Fishers
IA Des Moines,West Des Moines,Cedar Rapids,Davenport,Johnston,Ankeny
KS Overland Park,Wichita,Topeka,Kansas City,Lenexa,Olathe
KY Louisville,Lexington,Frankfort,Florence
LA New Orleans,Baton Rouge,Lafayette,Shreveport
ME Portland,Augusta
MD Baltimore,Bethesda,Rockville,Columbia,Annapolis,Gaithersburg,Silver Spring,Germantown,Owings Mills,Hunt Valley,College Park,Linthicum,Woodlawn,Fort Meade,Frederick,Hanover,Greenbelt,Windsor Mill
MA Boston,Cambridge,Waltham,Burlington,Quincy,Framingham,Marlborough,Andover,Westborough,Woburn,Needham,Lexington,Worcester,Springfield,Canton,Smithfield,Natick,Merrimack,Wellesley,Newton
MI Detroit,Ann Arbor,Lansing,Grand Rapids,Troy,Southfield,Dearborn,Auburn Hills,Farmington Hills,Warren,Kalamazoo,Midland,Novi,Livonia
MN Minneapolis,Saint Paul,St. Paul,Bloomington,Eden Prairie,Minnetonka,Rochester,Plymouth,Eagan,Edina,Brooklyn Park,Richfield
MS Jackson,Ridgeland
MO St. Louis,Saint Louis,Kansas City,Jefferson City,Springfield,Chesterfield,O'Fallon
NE Omaha,Lincoln
NV Las Vegas,Reno,Henderson,Carson City
NH Manchester,Nashua,Merrimack,Portsmouth,Concord
NJ Jersey City,Newark,Princeton,Edison,Iselin,Piscataway,Parsippany,Trenton,Berkeley Heights,Basking Ridge,Holmdel,Bridgewater,Warren,Weehawken,Hoboken,Somerset,New Brunswick,Mount Laurel,Cherry Hill,Whippany,Middletown,Bedminster,Raritan,Titusville,Hopewell,Pennington,Plainsboro,Cranbury,Secaucus,Florham Park,Morristown,Camden,Roseland,Madison,Lyndhurst,Mahwah,Branchburg,East Hanover,Rahway,Branchville,Englewood Cliffs
NM Albuquerque,Santa Fe,Rio Rancho
NY New York,New York City,NYC,Manhattan,Brooklyn,Albany,Buffalo,Rochester,Syracuse,White Plains,Long Island,Melville,Queens,Armonk,Schenectady,Tarrytown,Purchase,Latham,Poughkeepsie,Brewster,Hauppauge,Garden City
NC Charlotte,Raleigh,Durham,Cary,Greensboro,Winston-Salem,Winston Salem,Research Triangle Park,RTP,Morrisville,Mooresville,Wilmington,Fayetteville,Concord
ND Fargo,Bismarck
OH Columbus,Cleveland,Cincinnati,Dayton,Mason,Dublin,Akron,Toledo,Westerville,Mayfield,Mayfield Village,New Albany,Westlake,Independence,Blue Ash,Solon
OK Oklahoma City,Tulsa,Norman
OR Portland,Salem,Beaverton,Hillsboro,Eugene
PA Philadelphia,Pittsburgh,Harrisburg,Malvern,Mechanicsburg,Wayne,King of Prussia,Exton,Conshohocken,Blue Bell,Allentown,Horsham,Collegeville,Camp Hill,Radnor,Berwyn,West Chester,Chesterbrook,Newtown,Fort Washington,Lancaster,York,Newtown Square,Plymouth Meeting,Moon Township
RI Providence,Smithfield,Woonsocket,Cumberland,Johnston,Lincoln,Warwick
SC Columbia,Charleston,Greenville,Fort Mill,Rock Hill
SD Sioux Falls,Pierre
TN Nashville,Memphis,Knoxville,Chattanooga,Franklin,Brentwood,Collierville
TX Dallas,Austin,Houston,Plano,Irving,San Antonio,Fort Worth,Frisco,Richardson,Westlake,Addison,McKinney,Round Rock,Southlake,Carrollton,Arlington,Lewisville,Coppell,The Woodlands,El Paso,Grapevine,Las Colinas,DFW,Sugar Land,Spring,Farmers Branch,Roanoke,Allen,Temple
UT Salt Lake City,Lehi,Draper,Sandy,Provo,Ogden,Orem,South Jordan
VT Burlington,Montpelier
VA Richmond,Reston,McLean,Herndon,Arlington,Alexandria,Chantilly,Ashburn,Fairfax,Vienna,Tysons,Tysons Corner,Norfolk,Virginia Beach,Glen Allen,Sterling,Roanoke,Chesapeake,Springfield,Henrico,Manassas,Quantico,Dulles
WA Seattle,Bellevue,Redmond,Olympia,Tacoma,Spokane,Kirkland,Bothell,Issaquah,Vancouver,Everett,Renton,Kent,Tumwater
WV Charleston,Morgantown
WI Milwaukee,Madison,Green Bay,Brookfield,Menomonee Falls,Waukesha,Pewaukee,Sussex
WY Cheyenne
PR San Juan
ON Toronto,Mississauga,Ottawa,Markham,Waterloo
QC Montreal
BC Vancouver
AB Calgary,Edmonton`;

/** State codes of each city, keyed by the city's lower-case name. */
export const CITIES: ReadonlyMap<string, readonly string[]> = readCities();

function readCities(): Map<string, string[]> {
  const cities = new Map<string, string[]>();
  for (const line of CITY_LINES.trim().split('\n'))
    for (const name of line.slice(3).split(',')) {
      const key = name.toLowerCase();
      cities.set(key, [...(cities.get(key) ?? []), line.slice(0, 2)]);
    }
  return cities;
}

/** Cities whose names are also words. They count only with their state. */
export const WORD_CITIES: ReadonlySet<string> = new Set([
  'spring',
  'plantation',
  'sunrise',
  'mobile',
  'temple',
  'purchase',
  'york',
  'wayne',
  'warren',
  'mason',
  'dover',
  'newton',
  'lincoln',
  'jackson',
  'madison',
  'franklin',
  'columbia',
  'concord',
  'independence',
  'golden',
  'conway',
  'rogers',
  'allen',
  'sterling',
  'vienna',
  'dublin',
  'windsor',
  'newark',
  'washington',
  'ontario',
  'norman',
  'kent',
  'sandy',
  'draper',
  'dulles',
  'exton',
  'campbell',
  'troy',
  'novi',
  'florence',
  'frederick',
  'hanover',
  'canton',
  'somerset',
  'sussex',
  'camden',
  'melbourne',
  'mesa',
  'lowell',
  'salem',
  'lancaster',
  'vancouver',
  'waterloo',
  'newtown',
  'princeton',
  'hopewell',
  'roseland',
  'cambridge',
  'portsmouth',
  'manchester',
  'plymouth',
  'brookfield',
]);

/** Short names of cities and names of metropolitan areas, in lower case, with the city that each stands for. */
export const PLACE_NAMES: Readonly<Record<string, { city: string; region: string }>> = {
  nyc: { city: 'New York', region: 'NY' },
  'new york city': { city: 'New York', region: 'NY' },
  'bay area': { city: 'Bay Area', region: 'CA' },
  dfw: { city: 'DFW', region: 'TX' },
  'washington dc': { city: 'Washington', region: 'DC' },
  rtp: { city: 'RTP', region: 'NC' },
};
