import { copyFile, cp, lchown, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import { rows } from '../../shared/database/queries/rows.js';

type Say = (text: string) => number;

/** Path of the folder with the uploaded files; it lies beside the backup file. */
const filesBackupOf = (file: string): string => `${file}.files`;

/**
 * Copies the uploaded files into a folder beside the backup. Runs after the rows were backed up, so that the folder has
 * the file of every row, except for files that were deleted in the meantime. The folder appears complete or not at all.
 * @returns the exit code
 */
export async function backUpFiles(filesDir: string, file: string, say: Say): Promise<number> {
  const target = filesBackupOf(file);
  const draft = `${target}.part`;
  await rm(draft, { recursive: true, force: true });
  if (await exists(filesDir)) await copyUnlessDeleted(filesDir, draft);
  else await mkdir(draft, { recursive: true });
  for (const path of await filesIn(filesDir, true)) await copyUnlessDeleted(join(filesDir, path), join(draft, path));
  await rm(target, { recursive: true, force: true });
  await rename(draft, target);
  return say(`Uploaded files in ${target}: ${(await filesIn(target)).length}.`);
}

/**
 * Copies the files of a backup back and keeps the files that are already in the folder. The nightly sweep removes files
 * without a row.
 * @returns the exit code
 */
export async function restoreFiles(orm: MikroORM, filesDir: string, file: string, say: Say): Promise<number> {
  const source = filesBackupOf(file);
  const isThere = await exists(source);
  if (isThere) {
    const created = await mkdir(filesDir, { recursive: true });
    await cp(source, filesDir, { recursive: true, preserveTimestamps: true });
    await giveToOwner(filesDir, created);
  }
  const present = new Set(await filesIn(filesDir));
  const stored = await rows<{ key: string }>(
    orm.em.fork(),
    `select storage_key as key from files where stored_at is not null and deleted_at is null and scan <> 'infected'
     union select a.storage_key from send_attachments a join email_history h on h.id = a.history_id where h.status = 'pending'`,
  );
  const missing = stored.filter(({ key }) => !present.has(key)).length;
  if (isThere) say(`Uploaded files from ${source}: ${(await filesIn(source)).length}.`);
  if (missing === 0) return 0;
  const why = isThere ? `${source} lacks them` : `there is no ${source}`;
  return say(`Uploaded files that are missing: ${missing}; ${why}. Emails and drafts that show them have a gap there.`);
}

/** Copies a file with its times, or creates a folder. Skips a file that was deleted after it was listed. */
async function copyUnlessDeleted(from: string, to: string): Promise<void> {
  try {
    const found = await stat(from);
    if (found.isDirectory()) return void (await mkdir(to, { recursive: true, mode: found.mode }));
    await copyFile(from, to);
    await utimes(to, found.atime, found.mtime);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || (await exists(from))) throw error;
  }
}

/**
 * Gives restored files to the owner of their folder, because a restore in a container runs as root. If the restore
 * created the folder, the owner of the nearest existing parent folder gets them.
 * @param created the topmost folder that the restore created
 */
async function giveToOwner(filesDir: string, created: string | undefined): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(created === undefined ? filesDir : dirname(created));
  const top = created ?? filesDir;
  for (const path of await filesIn(top, true)) await lchown(join(top, path), uid, gid);
  if (created !== undefined) await lchown(created, uid, gid);
}

/** Paths of all files below a folder, relative to it. */
async function filesIn(folder: string, alsoFolders = false): Promise<string[]> {
  if (!(await exists(folder))) return [];
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => alsoFolders || entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
