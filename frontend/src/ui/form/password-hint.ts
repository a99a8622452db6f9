const common = /^(password|passw0rd|qwerty|letmein|welcome|admin|iloveyou|abc123|12345678)/i;

/** A hint while typing; the rules are the server's: 8 to 256 characters, and none of the commonest passwords. */
export function passwordHint(password: string): string {
  if (!password) return 'At least 8 characters. A few words are strong';
  if (password.length < 8) return `${8 - password.length} more to go`;
  if (common.test(password) || /^(.)\1+$/.test(password) || /^\d+$/.test(password)) return 'Weak: easily guessed. Add a word or two';
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length;
  if (password.length >= 16 || (password.length >= 12 && kinds >= 3)) return 'Strong';
  return password.length >= 12 || kinds >= 3 ? 'Good. Longer is stronger still' : 'Fair. Longer is stronger';
}
