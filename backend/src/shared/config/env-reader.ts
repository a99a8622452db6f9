type Env = Record<string, string | undefined>;

/** Reads settings one by one and collects their faults, so that the start-up error names all of them. */
export class EnvReader {
  constructor(
    private readonly env: Env,
    readonly faults: string[] = [],
  ) {}

  /**
   * Value of a setting, trimmed.
   * @returns undefined if the setting is absent or empty
   */
  text(name: string): string | undefined {
    return this.env[name]?.trim() || undefined;
  }

  /** All settings whose name `isOne` accepts. */
  allOf(isOne: (name: string) => boolean): Map<string, string> {
    const found = Object.keys(this.env)
      .filter(isOne)
      .map((key) => [key, this.text(key)] as const);
    return new Map(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  fault(message: string): void {
    this.faults.push(message);
  }

  number(name: string, fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER): number {
    const raw = this.text(name);
    if (raw === undefined) return fallback;
    const value = Number(raw);
    if (/^\d+$/.test(raw) && value >= min && value <= max) return value;
    this.fault(`${name} must be a whole number from ${min} to ${max}, not "${raw}"`);
    return fallback;
  }

  optionalNumber(name: string): number | undefined {
    return this.text(name) === undefined ? undefined : this.number(name, 0);
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const raw = this.text(name);
    if (raw === undefined) return fallback;
    if ((values as readonly string[]).includes(raw)) return raw as T;
    this.fault(`${name} must be one of ${values.join(', ')}, not "${raw}"`);
    return fallback;
  }

  /**
   * Reads a URL with one of the protocols. The fault never contains the value, because a URL may hold a password.
   * @returns undefined if the setting is absent or faulty
   */
  url(name: string, protocols: readonly string[]): string | undefined {
    const raw = this.text(name);
    if (raw === undefined) return undefined;
    const url = URL.canParse(raw) ? new URL(raw) : undefined;
    if (url && protocols.includes(url.protocol)) return raw;
    this.fault(`${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return undefined;
  }

  /** Reads comma-separated durations, in seconds. */
  seconds(name: string, fallback: number[]): number[] {
    const raw = this.text(name);
    if (raw === undefined) return fallback;
    const parts = raw.split(',').map((part) => Number(part.trim()));
    if (parts.length > 0 && parts.every((part) => Number.isFinite(part) && part > 0)) return parts;
    this.fault(`${name} must be seconds, separated by commas, such as 300,420,480`);
    return fallback;
  }
}
