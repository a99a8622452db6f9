import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap, Module } from '@nestjs/common';
import { AuthCredential, PasswordHasher, AuthModule } from '../modules/auth/index.js';
import { ListsModule, ProfileBackfill } from '../modules/lists/index.js';
import { Settings } from '../shared/config/settings.js';
import { inTransaction, rows } from '../shared/database/queries/rows.js';
import { DEMO_ADDRESSES, seedAccounts } from './demo-accounts.js';
import { DEMO_EMAIL } from './demo-content.js';
import { seedCompositions, seedSenderProfile } from './demo-compositions.js';
import { seedContacts } from './demo-contacts.js';
import { seedOpenImport } from './demo-import.js';
import { seedLists } from './demo-lists.js';
import { seedNotifications } from './demo-notifications.js';
import { seedReferrals } from './demo-referrals.js';
import { seedSchedules } from './demo-schedules.js';
import { seedSends } from './demo-sends.js';

/**
 * Creates demo@staffcast.example, an admin on the Pro plan, with eight weeks of data: lists, contacts, imports, sends
 * with deliveries, referrals, other accounts. Inserts rows directly, because the services would date everything today.
 */
@Injectable()
export class DemoSeeder implements OnApplicationBootstrap {
  constructor(
    private readonly em: EntityManager,
    private readonly profiles: ProfileBackfill,
    private readonly hasher: PasswordHasher,
    private readonly settings: Settings,
  ) {}

  /** Seeds the data, then prints address and password of the demo account unless its password was changed. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.settings.runsWeb) return;
    const { demoPassword } = this.settings;
    await this.seed(await this.hasher.hash(demoPassword));
    const credential = await this.em.fork().findOne(AuthCredential, { email: DEMO_EMAIL });
    const isCurrent = credential !== null && (await this.hasher.verify(demoPassword, credential.passwordHash));
    // Written to stdout and not to the log, because logs are kept.
    if (isCurrent && this.settings.logLevel !== 'silent')
      process.stdout.write(`\n  Demo account  ${DEMO_EMAIL}  password  ${demoPassword}\n`);
  }

  /**
   * Seeds once, although every instance calls it at start. If the demo account was deleted, the other demo accounts
   * still show that the data was seeded.
   */
  private async seed(passwordHash: string): Promise<void> {
    const demo = await inTransaction(this.em, async (em) => {
      await rows(em, `select pg_advisory_xact_lock(hashtextextended('demo-data', 0))`);
      if (
        (
          await rows(
            em,
            'select 1 from users where email_norm in (select jsonb_array_elements_text(?::jsonb)) limit 1',
            [JSON.stringify(DEMO_ADDRESSES)],
          )
        ).length > 0
      )
        return null;
      const accounts = await seedAccounts(em, passwordHash);
      await seedLists(em, accounts.demo);
      await seedSends(em, accounts.demo);
      await seedCompositions(em, accounts.demo);
      await seedSenderProfile(em, accounts.demo);
      await seedSchedules(em, accounts.demo);
      await seedReferrals(em, accounts);
      await seedNotifications(em, accounts.demo);
      return accounts.demo;
    });
    if (demo === null) return;
    await this.profiles.reopenForUnlinkedContacts();
    while (await this.profiles.batch());
    await inTransaction(this.em, async (em) => {
      await seedContacts(em, demo);
      await seedOpenImport(em, demo);
    });
  }
}

/** Demo data. Imported only if DEMO_DATA is on, which production refuses. */
@Module({ imports: [AuthModule, ListsModule], providers: [DemoSeeder] })
export class DemoModule {}
