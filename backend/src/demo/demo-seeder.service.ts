import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AuthCredential, PasswordHasher } from '../modules/auth/index.js';
import { Settings } from '../shared/config/settings.js';
import { rows } from '../shared/database/rows.js';
import { DEMO_ADDRESSES, seedAccounts } from './demo-accounts.js';
import { DEMO_EMAIL } from './demo-content.js';
import { seedLists } from './demo-lists.js';
import { seedReferrals } from './demo-referrals.js';
import { seedSends } from './demo-sends.js';

/**
 * Makes the account demo@staffcast.example, an admin on Pro, and what eight weeks of its use would have left: lists, contacts, an import,
 * sends with their deliveries, referrals, other accounts. Written as rows, since the services would date all of it today.
 */
@Injectable()
export class DemoSeeder implements OnApplicationBootstrap {
  constructor(
    private readonly em: EntityManager,
    private readonly hasher: PasswordHasher,
    private readonly settings: Settings,
  ) {}

  /** Seeds, then prints address and password of the demo account, unless its password has been changed. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.settings.runsWeb) return;
    const { demoPassword } = this.settings;
    await this.seed(await this.hasher.hash(demoPassword));
    const credential = await this.em.fork().findOne(AuthCredential, { email: DEMO_EMAIL });
    const isCurrent = credential !== null && (await this.hasher.verify(demoPassword, credential.passwordHash));
    // Not through the logger, which keeps what it is given.
    if (isCurrent && this.settings.logLevel !== 'silent') process.stdout.write(`\n  Demo account  ${DEMO_EMAIL}  password  ${demoPassword}\n`);
  }

  /** Once: every instance that starts comes here. Whoever deleted the demo account finds the others still there, and gets no second one. */
  private async seed(passwordHash: string): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      await rows(em, `select pg_advisory_xact_lock(hashtextextended('demo-data', 0))`);
      if ((await rows(em, 'select 1 from users where email_norm in (select jsonb_array_elements_text(?::jsonb)) limit 1', [JSON.stringify(DEMO_ADDRESSES)])).length > 0) return;
      const accounts = await seedAccounts(em, passwordHash);
      await seedLists(em, accounts.demo);
      await seedSends(em, accounts.demo);
      await seedReferrals(em, accounts);
    });
  }
}
