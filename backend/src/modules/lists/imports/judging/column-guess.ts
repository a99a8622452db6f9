import Fuse from 'fuse.js';
import { EventLoopYielder } from '../../../../shared/lifecycle/event-loop-yielder.js';
import type { FieldDefinition } from '../../../contacts/index.js';
import type { SheetSurvey } from '../reading/survey.js';
import { contentOf, type ColumnContent } from './column-content.js';
import { goesNowhere, headerName, isBesideAddress, KNOWN_HEADERS } from './header-names.js';
import type { RememberedMapping } from './remembered-mapping.js';
import { type BuiltInTarget, type ColumnTarget, fieldKeyOf, fieldTarget, isBuiltIn } from './targets.js';

/** Guessed target of a column. `from` is null if no target was found; the column is then not imported. */
export interface ColumnGuess {
  target: ColumnTarget;
  from: 'guessed' | 'remembered' | 'chosen' | null;
}

/** Fuse's score below which two names count as the same; 0 is equal. */
const LIKE = 0.3;
/** Minimum length of a name for the search by similarity: shorter names are similar to too many others. */
const MIN_FUZZY_LENGTH = 6;
/** Maximum difference in length between similar names, in letters. */
const MAX_EDIT_DISTANCE = 2;
const MAX_FUZZY_LENGTH = Math.max(...[...KNOWN_HEADERS.keys()].map(({ length }) => length)) + MAX_EDIT_DISTANCE;
const fuses = new Map<number, Fuse<string>>();

/** Search index of the known names of about this length: with many columns, searching all names takes too long. */
function fuseOf(length: number): Fuse<string> {
  const known = fuses.get(length);
  if (known) return known;
  const names = [...KNOWN_HEADERS.keys()].filter((name) => Math.abs(name.length - length) <= MAX_EDIT_DISTANCE);
  const fuse = new Fuse(names, { includeScore: true, threshold: LIKE, ignoreLocation: true });
  fuses.set(length, fuse);
  return fuse;
}

type Survey = Pick<SheetSurvey, 'hasHeader' | 'header' | 'sampleRows'>;

/**
 * Guesses the target of each column: from the account's last mapping of the same headers, else from header names,
 * similar names and the content, in this order. A target goes to the first column that claims it. Yields to the event
 * loop between columns.
 */
export async function guessColumns(
  survey: Survey,
  fields: readonly FieldDefinition[],
  remembered: RememberedMapping | null = null,
): Promise<ColumnGuess[]> {
  const steps = guessing(survey, fields, remembered);
  for (const yielder = new EventLoopYielder(); ;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (yielder.isDue()) await yielder.yieldNow();
  }
}

/** Does the guessing of `guessColumns`; yields after each column. */
function* guessing(
  survey: Survey,
  fields: readonly FieldDefinition[],
  remembered: RememberedMapping | null,
): Generator<void, ColumnGuess[], void> {
  const guesses = new Guesses(survey.header.length);
  const names = survey.header.map((header) => (survey.hasHeader ? headerName(header) : ''));
  if (remembered && survey.hasHeader) {
    const keys = new Set(fields.map(({ key }) => key));
    names.forEach((name, column) => {
      const target = Object.hasOwn(remembered, name) ? remembered[name]! : undefined;
      const key = target && fieldKeyOf(target);
      if (target && (key === undefined ? isBuiltIn(target) : keys.has(key))) guesses.take(column, target, 'remembered');
    });
  }
  for (const find of [byLabel(fields), byTable(false), byTable(true), bySimilarName])
    for (const [column, name] of names.entries()) {
      const target = name === '' ? undefined : find(name);
      if (target) guesses.take(column, target, 'guessed');
      yield;
    }
  yield* byContent(survey, fields, names, guesses);
  return guesses.all;
}

class Guesses {
  readonly all: ColumnGuess[];
  private readonly used = new Set<string>();

  constructor(width: number) {
    this.all = Array.from({ length: width }, () => ({ target: 'ignore', from: null }));
  }

  take(column: number, target: ColumnTarget, from: 'guessed' | 'remembered'): void {
    if (this.all[column]!.from !== null || (target !== 'ignore' && this.used.has(target))) return;
    this.all[column] = { target, from };
    this.used.add(target);
  }

  isFree(column: number): boolean {
    return this.all[column]!.from === null;
  }

  has(target: ColumnTarget): boolean {
    return this.used.has(target);
  }
}

/** Finds the account's custom field whose label or key equals a header. */
function byLabel(fields: readonly FieldDefinition[]): (name: string) => ColumnTarget | undefined {
  const targets = new Map(
    fields.flatMap(({ key, label }) => [
      [headerName(key), fieldTarget(key)],
      [headerName(label), fieldTarget(key)],
    ]),
  );
  return (name) => targets.get(name);
}

const byTable =
  (isSecond: boolean) =>
  (name: string): ColumnTarget | undefined => {
    const known = KNOWN_HEADERS.get(name);
    return known?.isSecond === isSecond ? known.target : undefined;
  };

function bySimilarName(name: string): ColumnTarget | undefined {
  if (name.length < MIN_FUZZY_LENGTH || name.length > MAX_FUZZY_LENGTH || KNOWN_HEADERS.has(name) || goesNowhere(name))
    return undefined;
  const [best] = fuseOf(name.length)
    .search(name)
    .map(({ item, score = 1 }) => ({ item, score, difference: Math.abs(item.length - name.length) }))
    .sort((a, b) => a.score - b.score || a.difference - b.difference);
  return best && KNOWN_HEADERS.get(best.item)!.target;
}

const BY_CONTENT: readonly [ColumnContent, BuiltInTarget][] = [
  ['address', 'email'],
  ['phone', 'phone'],
  ['state', 'region'],
];

function* byContent(
  { hasHeader, header, sampleRows }: Survey,
  fields: readonly FieldDefinition[],
  names: readonly string[],
  guesses: Guesses,
): Generator<void, void, void> {
  const contents: (ColumnContent | null)[] = [];
  for (const column of header.keys()) {
    contents.push(guesses.isFree(column) ? contentOf(sampleRows.map((cells) => cells[column] ?? '')) : null);
    yield;
  }
  const dates = fields.filter(({ type }) => type === 'date').map(({ key }) => fieldTarget(key));
  contents.forEach((content, column) => {
    const target = BY_CONTENT.find(([kind]) => kind === content)?.[1];
    if (target && !(target === 'email' && isBesideAddress(names[column]!))) guesses.take(column, target, 'guessed');
    // With several date fields, it is unclear which of them is meant.
    if (content === 'date' && dates.length === 1) guesses.take(column, dates[0]!, 'guessed');
  });
  // In lines of `email, name`, which have no header, the second column is the name.
  const isNamed = (['name', 'firstName', 'lastName'] as const).some((target) => guesses.has(target));
  const email = guesses.all.findIndex(({ target }) => target === 'email');
  if (!hasHeader && email === 0 && !isNamed && header.length > 1 && contents[1] === 'text')
    guesses.take(1, 'name', 'guessed');
}
