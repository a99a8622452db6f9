import { rows } from '../../../src/shared/database/queries/rows.js';
import type { AccountImportDetailDto } from '../../../src/modules/lists/imports/steps/account-import.dto.js';
import type { ImportLineDto } from '../../../src/modules/lists/imports/steps/import-report.dto.js';
import type { TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { until } from '../../kit/until.js';

/** The imports of one account, through the calls of its screens. */
export class Importer {
  constructor(
    private readonly app: TestApp,
    readonly user: SignedUp,
  ) {}

  query<T extends object>(sql: string, params: unknown[] = []): Promise<T[]> {
    return rows<T>(this.app.em(), sql, params);
  }

  async list(name = 'Java vendors'): Promise<string> {
    return (await this.user.agent.post('/api/email-lists').send({ name }).expect(201)).body.id as string;
  }

  async paste(text: string): Promise<string> {
    return (await this.user.agent.post('/api/imports').send({ text }).expect(201)).body.id as string;
  }

  async upload(content: string | Buffer, name = 'people.csv'): Promise<string> {
    const answer = await this.user.agent
      .post('/api/imports')
      .set('Origin', this.app.settings.appUrl)
      .attach('file', Buffer.from(content as string), name)
      .expect(201);
    return answer.body.id as string;
  }

  async look(id: string): Promise<AccountImportDetailDto> {
    return (await this.user.agent.get(`/api/imports/${id}`).expect(200)).body as AccountImportDetailDto;
  }

  /** Waits until no stage is running. */
  async settled(id: string, ...wanted: AccountImportDetailDto['status'][]): Promise<AccountImportDetailDto> {
    const found = await until(`the import is ${wanted.join(' or ')}`, async () => {
      const now = await this.look(id);
      if (wanted.includes(now.status)) return now;
      if (now.status === 'failed') throw new Error(`the import failed: ${now.message}`);
      return undefined;
    }).catch(async (error: Error) => {
      const [stuck] = await this.query<object>(
        `select status, stage, error, attempts, lines, total from contact_imports where id = ?`,
        [id],
      );
      throw new Error(`${error.message}; ${JSON.stringify(stuck)}`);
    });
    return found!;
  }

  async patch(id: string, body: object, status = 200) {
    return (await this.user.agent.patch(`/api/imports/${id}`).send(body).expect(status)).body;
  }

  /** Reads a file, saves the choices, and runs the check. */
  async checked(id: string, choices: object = {}): Promise<AccountImportDetailDto> {
    await this.settled(id, 'mapping');
    if (Object.keys(choices).length > 0) await this.patch(id, choices);
    await this.user.agent.post(`/api/imports/${id}/check`).expect(202);
    return this.settled(id, 'ready');
  }

  async committed(id: string): Promise<AccountImportDetailDto> {
    await this.user.agent.post(`/api/imports/${id}/commit`).expect(202);
    return this.settled(id, 'done');
  }

  async lines(id: string, query: object = {}): Promise<ImportLineDto[]> {
    return (await this.user.agent.get(`/api/imports/${id}/rows`).query(query).expect(200)).body as ImportLineDto[];
  }

  /** Number of profiles and memberships of the account. */
  async counts(): Promise<{ people: number; members: number }> {
    const [found] = await this.query<{ people: number; members: number }>(
      `select (select count(*) from contact_profiles where owner_id = ?)::int as people,
         (select count(*) from subscriptions c join email_lists l on l.id = c.email_list_id where l.owner_id = ?)::int as members`,
      [this.user.id, this.user.id],
    );
    return found!;
  }
}

/** A CSV file with a header and this many people. */
export const csvOf = (count: number, name = 'v', domain = 'vendor.example'): string =>
  `Email,Full Name,Company\n${Array.from({ length: count }, (_, n) => `${name}${n}@${domain},Vendor ${n},"Acme, ${n}"`).join('\n')}\n`;
