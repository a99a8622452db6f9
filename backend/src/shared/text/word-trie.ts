/** A word of a text, in lower case, with its position. */
export interface PlacedWord {
  text: string;
  from: number;
  to: number;
}

interface Step<T> {
  next: Map<string, Step<T>>;
  value?: T;
}

/** Phrases of one or more words, each with a value. Finds the longest phrase that begins at a given word of a text. */
export class WordTrie<T> {
  private readonly root: Step<T> = { next: new Map() };

  /**
   * @param between matches what may stand between two words of a phrase
   * @param simplified returns another form of a word, which is tried if no phrase continues with the word itself
   */
  constructor(
    private readonly between: RegExp,
    private readonly simplified: (word: string) => string = (word) => word,
  ) {}

  /** Adds a phrase. If it was added before, it keeps its first value. */
  add(words: readonly string[], value: T): void {
    let step = this.root;
    for (const word of words) {
      const next = step.next.get(word) ?? { next: new Map<string, Step<T>>() };
      step.next.set(word, next);
      step = next;
    }
    step.value ??= value;
  }

  /**
   * The value of the phrase that consists of these words.
   * @returns undefined if there is no such phrase
   */
  get(words: readonly string[]): T | undefined {
    let step: Step<T> | undefined = this.root;
    for (const word of words) step = step && this.after(step, word);
    return step?.value;
  }

  /**
   * The longest phrase that begins at a word.
   * @param first index of that word
   * @returns its value and the index of its last word; null if no phrase begins there
   */
  longest(text: string, words: readonly PlacedWord[], first: number): { last: number; value: T } | null {
    let step = this.after(this.root, words[first]!.text);
    let found: { last: number; value: T } | null = null;
    for (let n = first; step; n += 1) {
      if (step.value !== undefined) found = { last: n, value: step.value };
      const next = words[n + 1];
      if (!next || !this.between.test(text.slice(words[n]!.to, next.from))) break;
      step = this.after(step, next.text);
    }
    return found;
  }

  private after(step: Step<T>, word: string): Step<T> | undefined {
    return step.next.get(word) ?? step.next.get(this.simplified(word));
  }
}
