const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: 'US',
  us: 'US',
  unitedstatesofamerica: 'US',
  america: 'US',
  uk: 'GB',
  greatbritain: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  bharat: 'IN',
  uae: 'AE',
  deutschland: 'DE',
  espana: 'ES',
  mexico: 'MX',
  brasil: 'BR',
  holland: 'NL',
  korea: 'KR',
  russia: 'RU',
  czechrepublic: 'CZ',
};

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');

let byName: ReadonlyMap<string, string> | undefined;

/** Codes and English names of all countries that the runtime knows. */
function countries(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const found = new Map<string, string>();
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(code);
    if (name === undefined || /^(EU|EZ|QO|UN|ZZ|X[A-Z]|UK)$/.test(code)) continue;
    found.set(code.toLowerCase(), code);
    if (!found.has(plain(name))) found.set(plain(name), code);
  }
  for (const [name, code] of Object.entries(OTHER_NAMES)) found.set(name, code);
  return found;
}

/** ISO 3166-1 alpha-2 code of a country that is given by code or name. @returns null for any other text */
export function countryCode(text: string): string | null {
  if (text.length > 60) return null;
  byName ??= countries();
  return byName.get(plain(text)) ?? null;
}
