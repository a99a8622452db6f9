import 'reflect-metadata';
import { MikroORM } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Settings } from '../shared/config/settings.js';
import { readSettings, SettingsError } from '../shared/config/read-settings.js';
import { AdminCliModule } from './admin-cli.module.js';
import { backUp, restore } from './backup/backup.js';
import { backUpFiles, restoreFiles } from './backup/file-backup.js';
import { DataSubjectRequests } from './data-subject-requests.js';
import { sendsReport } from './sends-report.js';
import { dnsRecords } from './dns-records.js';
import { ADMIN_VERBS, AdminRights, type AdminVerb } from '../modules/auth/index.js';
import { WaitingSends } from '../modules/schedules/index.js';
import { OpenSends } from '../modules/sending/index.js';

const HELP = `Usage: npm run admin -- <command>

  grant EMAIL    makes a registered account an admin
  revoke EMAIL   makes it an ordinary account again
  verify EMAIL   vouches for its address
  suspend EMAIL  signs it out everywhere, keeps it out and stops its queued mail
  reinstate EMAIL   lets it in again
  sends          prints which mail accounts fail, and every send that has not ended or is scheduled, with what it waits for
  contact export ADDRESS   prints everything that is kept about a contact's address, over all lists, as JSON
  contact erase ADDRESS    erases it everywhere; what keeps the address from being mailed again stays, as a hash
  migrate        brings the database's schema up to date and ends
  backup FILE    writes the whole database into a file, and the uploaded files into the folder FILE.files
  restore FILE   puts both in the place of everything that is there
  dns            prints the DNS records that the mail configuration needs
  help           prints this`;

/** Runs one command. @returns the exit code */
async function main([command, email, ...rest]: string[]): Promise<number> {
  if (command === undefined || /^(--?h|help|--help)$/.test(command)) return say(HELP);
  if (command === 'dns')
    return say(
      dnsRecords(
        readSettings(
          { ...process.env, DATABASE_URL: process.env.DATABASE_URL || 'postgres://unused' },
          { services: false },
        ),
      ),
    );
  if (command === 'migrate') return withApp(async () => say('The schema is up to date.'));
  if (command === 'sends')
    return withApp(async (app) =>
      say(await sendsReport(app.get(OpenSends, { strict: false }), app.get(WaitingSends, { strict: false }))),
    );
  if (command === 'contact') return aboutContact(email, rest);
  if (command === 'backup' || command === 'restore') {
    if (!email || rest.length > 0) return complain(`${command} needs one file: npm run ${command} -- FILE`);
    return withApp(async (app, { databaseUrl, filesDir }) => {
      if (command === 'backup')
        return (
          (await backUp(app.get(MikroORM), databaseUrl, email, say)) ||
          (filesDir === null ? say(IN_BUCKET) : backUpFiles(filesDir, email, say))
        );
      return (
        (await restore(app.get(MikroORM), email, say)) ||
        (filesDir === null ? say(IN_BUCKET) : restoreFiles(app.get(MikroORM), filesDir, email, say))
      );
    });
  }
  const verb = ADMIN_VERBS.find((known) => known === command);
  if (!verb) return complain(`Unknown command: ${command}\n\n${HELP}`);
  if (!email || rest.length > 0) return complain(`${command} needs one address: npm run admin -- ${command} EMAIL`);
  return change(email, verb);
}

/** Printed if STORAGE_URL names a bucket (`s3:`): the command line backs up and restores only a local folder. */
const IN_BUCKET =
  'Uploaded files are missing here: they lie in the bucket of STORAGE_URL, which is backed up by whoever runs it.';

const SUCCESS_MESSAGES: Record<AdminVerb, string> = {
  grant: 'is an admin now',
  revoke: 'is no admin any more',
  verify: 'is verified',
  suspend: 'is suspended',
  reinstate: 'may sign in again',
};

function change(email: string, verb: AdminVerb): Promise<number> {
  return withApp(async (app) => {
    if (!(await app.get(AdminRights, { strict: false }).change(email, verb)))
      return complain(`No account has the address ${email}. Register it first, then run this again.`);
    return say(`${email} ${SUCCESS_MESSAGES[verb]}.`);
  });
}

function aboutContact(verb: string | undefined, [address, ...rest]: string[]): number | Promise<number> {
  if (!address || rest.length > 0 || (verb !== 'export' && verb !== 'erase'))
    return complain('Use: npm run admin -- contact export ADDRESS, or contact erase ADDRESS');
  return withApp(async (app) => {
    const records = app.get(DataSubjectRequests, { strict: false });
    if (verb === 'export') return say(JSON.stringify(await records.export(address), undefined, 2));
    const { rows } = await records.erase(address);
    return say(
      rows > 0
        ? `Erased: ${rows} records held ${address}. It stays suppressed where it was, by its hash.`
        : `Nothing was kept about ${address}.`,
    );
  });
}

/** Migrates the database, starts the modules that the commands use, and runs `work` with them. */
async function withApp(work: (app: INestApplicationContext, settings: Settings) => Promise<number>): Promise<number> {
  const settings = readSettings(process.env, { services: false });
  const app = await NestFactory.createApplicationContext(AdminCliModule.with(settings), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await work(app, settings);
  } finally {
    await app.close();
  }
}

function say(text: string): number {
  console.log(text);
  return 0;
}

function complain(text: string): number {
  console.error(text);
  return 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = complain(
    error instanceof SettingsError ? error.message : `The command failed: ${(error as Error).message}`,
  );
}
