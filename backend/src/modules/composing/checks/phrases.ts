/** A phrase that a check looks for, with the source that names it. */
export interface Phrase {
  /** Words in lower case; `*` at the end of a word stands for any further letters. */
  words: string;
  source: string;
}

/** The offsets of a phrase that was found. */
export interface FoundPhrase {
  from: number;
  to: number;
}

interface Word {
  text: string;
  from: number;
  to: number;
}

interface Step {
  next: Map<string, Step>;
  /** Steps for phrase words that end in `*`; `start` is the word without the `*`. */
  begins: { start: string; step: Step }[];
  isEnd: boolean;
}

const WORD = /[\p{L}\p{N}$%]+/gu;
/** Characters that end a sentence; a negation applies to its own sentence only. */
const SENTENCE_END = /[.!?;\n•|]/;
const newStep = (): Step => ({ next: new Map(), begins: [], isEnd: false });

/**
 * Finds phrases on word boundaries. Spaces, slashes and hyphens between two words are ignored. At each word of a text,
 * at most as many words are compared as the longest phrase has.
 */
export class PhraseFinder {
  private readonly start = newStep();
  private readonly negations?: PhraseFinder;

  /** @param negations phrases that exclude a sentence from the search */
  constructor(phrases: readonly Phrase[], negations: readonly Phrase[] = []) {
    for (const { words } of phrases) this.add(words.split(' '));
    if (negations.length > 0) this.negations = new PhraseFinder(negations);
  }

  /** Finds the longest phrase at each word. Found phrases do not overlap. */
  find(text: string): FoundPhrase[] {
    const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
      text: word.toLowerCase(),
      from: index,
      to: index + word.length,
    }));
    const found: FoundPhrase[] = [];
    for (let i = 0; i < words.length;) {
      const length = this.longest(words, i, this.start, 0);
      if (length > 0) found.push({ from: words[i]!.from, to: words[i + length - 1]!.to });
      i += Math.max(1, length);
    }
    return this.negations && found.length > 0 ? this.withoutNegated(text, found, this.negations) : found;
  }

  private withoutNegated(text: string, found: FoundPhrase[], negations: PhraseFinder): FoundPhrase[] {
    let [start, end, isNegated] = [-1, -1, false];
    return found.filter(({ from }) => {
      if (from >= end) {
        [start, end] = [from, from];
        while (start > 0 && !SENTENCE_END.test(text[start - 1]!)) start -= 1;
        while (end < text.length && !SENTENCE_END.test(text[end]!)) end += 1;
        isNegated = negations.find(text.slice(start, end)).length > 0;
      }
      return !isNegated;
    });
  }

  private add(words: readonly string[]): void {
    let step = this.start;
    for (const word of words) {
      const known: Step | undefined = word.endsWith('*')
        ? step.begins.find(({ start }) => start === word.slice(0, -1))?.step
        : step.next.get(word);
      const next = known ?? newStep();
      if (!known)
        if (word.endsWith('*')) step.begins.push({ start: word.slice(0, -1), step: next });
        else step.next.set(word, next);
      step = next;
    }
    step.isEnd = true;
  }

  /** Number of words of the longest phrase that begins at `at`; 0 if there is none. */
  private longest(words: readonly Word[], at: number, step: Step, length: number): number {
    let best = step.isEnd ? length : 0;
    const word = words[at]?.text;
    if (word === undefined) return best;
    const exact = step.next.get(word);
    if (exact) best = Math.max(best, this.longest(words, at + 1, exact, length + 1));
    for (const { start, step: next } of step.begins)
      if (word.startsWith(start)) best = Math.max(best, this.longest(words, at + 1, next, length + 1));
    return best;
  }
}
