import { type JobLocation, JOB_LIMITS } from '../job.js';
import type { Confidence } from '../requirement.js';
import { linesOf } from './flat-text.js';
import type { Found } from './found.js';
import { findPlaces, type Place } from './places.js';
import { labelled, type RequirementText } from './requirement-text.js';
import { MODE_WORD } from './read-work-mode.js';

const NOWHERE =
  /^(?:us|usa|u\.s\.a?\.?|united states|anywhere|nationwide|offshore|any|tbd|n\/?a|open|flexible|multiple(?: locations)?)$/i;

/** Reads the places of work. */
export function readLocations(requirement: RequirementText): Found<JobLocation>[] {
  for (const { value, form } of labelled(requirement, 'location', 'mode')) {
    const places = findPlaces(value.text, true);
    const isSure = form !== 'dash' || places.every(({ isPlain }) => isPlain);
    if (places.length > 0) return shifted(places, value.from, (one) => (one.isPlain && isSure ? 'sure' : 'check'));
  }
  for (const { value } of labelled(requirement, 'location')) {
    const other = otherPlace(value.text);
    if (other)
      return [{ value: { city: other }, confidence: 'check', from: value.from, to: value.from + other.length }];
  }
  for (const { value } of labelled(requirement, 'title', 'subject')) {
    const places = withState(findPlaces(value.text, false));
    if (places.length > 0) return shifted(places, value.from, () => 'check');
  }
  return inLines(requirement.head) ?? inLines(requirement.free) ?? [];
}

function inLines(text: string): Found<JobLocation>[] | null {
  const lines = linesOf(text).filter((line) => line.text !== '');
  const read = lines.map((line) => ({ line, places: findPlaces(line.text, false) }));
  const best = read.find(({ places }) => withState(places).length > 0);
  if (best) return shifted(withState(best.places), best.line.from, () => 'check');
  const city = read.slice(0, 6).find(({ places }) => places.length > 0);
  return city ? shifted(city.places.slice(0, 1), city.line.from, () => 'check') : null;
}

const withState = (places: readonly Place[]): Place[] => places.filter(({ place }) => place.region);

function shifted(places: readonly Place[], by: number, confidence: (place: Place) => Confidence): Found<JobLocation>[] {
  const seen = new Set<string>();
  const found: Found<JobLocation>[] = [];
  for (const one of places) {
    const key = `${one.place.city ?? ''},${one.place.region ?? ''}`.toLowerCase();
    if (seen.has(key)) continue;
    seen.add(key);
    found.push({ value: one.place, confidence: confidence(one), from: one.from + by, to: one.to + by });
    if (found.length === JOB_LIMITS.locations) break;
  }
  return found;
}

/**
 * Reads a place that is in no list of places, as written.
 * @returns null if the text does not look like the name of a place
 */
function otherPlace(text: string): string | null {
  const name = text.split(/[(|;/]| - /)[0]!.trim();
  const isName = name.length > 2 && name.length <= 40 && /^\p{Lu}/u.test(name);
  return isName && !NOWHERE.test(name) && !MODE_WORD.test(name) ? name : null;
}
