import type { Job } from '../draft';

type Location = Job['jobLocations'][number];
type Pay = NonNullable<Job['baseSalary']>;

/** 'Hartford, CT; Austin, TX' */
export const locationText = (locations: readonly Location[]): string =>
  locations.map(({ city, region }) => [city, region].filter(Boolean).join(', ')).join('; ');

/** Parses the output of `locationText`, and 'Hartford CT'. */
export const parseLocations = (text: string): Location[] =>
  text
    .split(/[;\n]/)
    .map((place) => place.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
    .map(parseLocation);

function parseLocation(place: string): Location {
  const comma = place.lastIndexOf(',');
  const space = /[A-Za-z.] [A-Z]{2}$/.test(place) ? place.length - 3 : -1;
  const cut = comma >= 0 ? comma : space;
  if (cut < 0) return { city: place };
  const [city, region] = [place.slice(0, cut).trim(), place.slice(cut + 1).trim()];
  return { ...(city && { city }), ...(region && { region }) };
}

const SUFFIXES = { HOUR: '/hr', YEAR: '/yr' } as const;
const money = (amount: number) => amount.toLocaleString('en-US', { maximumFractionDigits: 2 });

/** '$60-65/hr DOE': the amounts (a single amount is `min`), then the note. Empty if nothing is known. */
export function rateText({ baseSalary, rateNote }: Pick<Job, 'baseSalary' | 'rateNote'>): string {
  return [baseSalary && payText(baseSalary), rateNote].filter(Boolean).join(' ');
}

function payText({ min, max, unit }: Pay): string {
  if (min === undefined && max === undefined) return '';
  const per = SUFFIXES[unit];
  if (min === undefined) return `up to $${money(max ?? 0)}${per}`;
  return max === undefined || min === max ? `$${money(min)}${per}` : `$${money(min)}-${money(max)}${per}`;
}

const AMOUNT = String.raw`\$? ?(\d{1,3}(?:,\d{3})+|\d{1,7})(\.\d{1,2})?(k)?`;
const RATE = new RegExp(
  String.raw`^(up to )?${AMOUNT}(?: ?(?:-|–|to) ?${AMOUNT})? ?(?:(?:/|per|an?) ?(hr|hour|h|yr|year|annum)\b\.?)?(?!\S*\d)(?![+/\w])[,;]? ?(.*)$`,
  'i',
);
/** From this amount on, an amount without a unit is per year. */
const MIN_YEARLY_AMOUNT = 1000;
const MAX_AMOUNT = 10_000_000;

/** Parses '$60-65/hr DOE'. Other text becomes the note. */
export function parsePay(text: string): Pick<Job, 'baseSalary' | 'rateNote'> {
  const found = RATE.exec(text);
  if (!found) return text ? { rateNote: text } : {};
  const [, upTo, whole, part, k, otherWhole, otherPart, otherK, unit, words = ''] = found;
  // In '100-120k' the k applies to both numbers.
  const first = amountOf(whole, part, k ?? (otherWhole && otherK));
  const second = otherWhole ? amountOf(otherWhole, otherPart, otherK) : undefined;
  const isYearly = unit ? /^y|^a/i.test(unit) : Math.max(first, second ?? 0) >= MIN_YEARLY_AMOUNT;
  if (Math.max(first, second ?? 0) > MAX_AMOUNT || (second !== undefined && second < first)) return { rateNote: text };
  return {
    baseSalary: {
      ...(upTo ? { max: second ?? first } : { min: first }),
      ...(!upTo && second !== undefined && { max: second }),
      unit: isYearly ? 'YEAR' : 'HOUR',
      currency: 'USD',
    },
    ...(words && { rateNote: words }),
  };
}

const amountOf = (whole = '0', part = '', k?: string) =>
  Math.round(Number(whole.replaceAll(',', '') + part) * (k ? 1000 : 1) * 100) / 100;
