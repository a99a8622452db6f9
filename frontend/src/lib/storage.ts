/** localStorage that never throws, since it may be full, disabled or hold invalid data. */
export const storage = {
  read<T>(key: string, parse: (value: unknown) => T | null): T | null {
    try {
      const text = localStorage.getItem(key);
      return text === null ? null : parse(JSON.parse(text));
    } catch {
      return null;
    }
  },
  write(key: string, value: unknown): void {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Storage is full or disabled, so the value is not remembered.
    }
  },
  remove(key: string): void {
    try {
      localStorage.removeItem(key);
    } catch {
      // Storage is disabled, so the value stays.
    }
  },
};

/** The value of a cookie that scripts may read. */
export function readCookie(name: string): string | null {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : null;
}

/** Sets a cookie for the whole site. */
export function writeCookie(name: string, value: string, maxAgeSeconds: number): void {
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${maxAgeSeconds}; samesite=lax`;
}

/** sessionStorage that never throws. */
export const sessionNotes = {
  read(key: string): string | null {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },
  /** @returns whether it was stored */
  write(key: string, value: string): boolean {
    try {
      sessionStorage.setItem(key, value);
      return true;
    } catch {
      return false;
    }
  },
};
