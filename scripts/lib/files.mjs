import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** All files below a folder (or the file itself), sorted; empty if the path does not exist. */
export function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** The files directly in a folder. */
export function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, entry.name))
    .sort();
}

/** One hash over names, contents and the `extra` strings. */
export function hashOf(files, extra = []) {
  const hash = createHash('sha256');
  for (const text of extra) hash.update(`${text}\0`);
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/**
 * Reads a text file.
 * @returns undefined if there is no such file
 */
export function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Writes a file atomically: a reader sees either the old or the new text, never a part of it. */
export function writeWhole(path, text, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode });
  renameSync(draft, path);
}
