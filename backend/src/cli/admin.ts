import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { readSettings, SettingsError } from '../shared/config/read-settings.js';
import { AdminCliModule } from './admin-cli.module.js';
import { dnsRecords } from './dns-records.js';
import { AdminRights } from '../modules/auth/index.js';

const HELP = `Usage: npm run admin -- <command>

  grant EMAIL    makes a registered account an admin
  revoke EMAIL   makes it an ordinary account again
  dns            prints the DNS records that the mail configuration needs
  help           prints this`;

/** Runs one command. @returns the exit code */
async function main([command, email, ...rest]: string[]): Promise<number> {
  if (command === undefined || /^(--?h|help|--help)$/.test(command)) return say(HELP);
  if (command === 'dns') return say(dnsRecords(readSettings({ ...process.env, DATABASE_URL: process.env.DATABASE_URL || 'postgres://unused' }, { services: false })));
  if (command !== 'grant' && command !== 'revoke') return complain(`Unknown command: ${command}\n\n${HELP}`);
  if (!email || rest.length > 0) return complain(`${command} needs one address: npm run admin -- ${command} EMAIL`);
  return setAdmin(email, command === 'grant');
}

async function setAdmin(email: string, isAdmin: boolean): Promise<number> {
  const app = await NestFactory.createApplicationContext(AdminCliModule.with(readSettings(process.env, { services: false })), {
    logger: false, abortOnError: false,
  });
  try {
    if (!(await app.get(AdminRights, { strict: false }).set(email, isAdmin))) return complain(`No account has the address ${email}. Register it first, then run this again.`);
    return say(isAdmin ? `${email} is an admin now.` : `${email} is no admin any more.`);
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
  process.exitCode = complain(error instanceof SettingsError ? error.message : `The command failed: ${(error as Error).message}`);
}
