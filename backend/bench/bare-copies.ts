import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { World } from './world.js';

/**
 * Measures bare COPY of the rows that an import wrote, into tables with the same indexes, as the upper bound for the
 * import.
 */
export class BareCopies {
  private constructor(
    private readonly world: World,
    private readonly folder: string,
  ) {}

  static async with<T>(world: World, use: (copies: BareCopies) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'staffcast-bench-'));
    try {
      return await use(new BareCopies(world, folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * Copies the staged rows of a checked import.
   * @returns rows a second
   */
  async intoStaging(importId: string): Promise<number> {
    const id = randomUUID();
    const columns = 'line, email, email_norm, email_hash, domain, refused, marks, suggestion, misfits, cells, person';
    await this.keep(
      'lines',
      `select '${id}'::uuid, ${columns} from contact_import_rows where import_id = '${importId}' order by line`,
    );
    const rate = await this.rate('lines', `contact_import_rows (import_id, ${columns})`);
    await this.world.db.query('delete from contact_import_rows where import_id = $1', [id]);
    return rate;
  }

  /**
   * Copies the people whom an import added to another account: first into profiles, then into memberships.
   * @returns people a second
   */
  async intoContacts(importId: string, owner: string): Promise<number> {
    const list = randomUUID();
    await this.world.db.query(`insert into email_lists (id, name, slug, owner_id) values ($1, 'Copied', $2, $3)`, [
      list,
      `s-${list}`,
      owner,
    ]);
    const profile = `email, email_norm, email_hash, company_domain, first_name, last_name, company, job_title, phone, phone_e164, city, region, country, time_zone, tag_ids, fields, source, import_id, import_line, time_zone_source`;
    const member = `email, email_norm, email_hash, name, first_name, last_name, attributes, subscription_type, email_list_id, source, opt_in_state, import_id, company_domain`;
    await this.world.db.query(
      `create unlogged table copied as select p.id as was, uuidv7() as id from contact_profiles p where p.import_id = '${importId}' order by p.id`,
    );
    await this.keep(
      'profiles',
      `select k.id, '${owner}'::uuid, ${profile} from copied k join contact_profiles p on p.id = k.was order by k.id`,
    );
    await this.keep(
      'members',
      `select k.id, rtrim(translate(encode(sha256(c.unsubscribe_token::bytea || '${list}'::bytea), 'base64'), '+/', '-_'), '='), ${member.replace('email_list_id', `'${list}'::uuid`)}
       from copied k join subscriptions c on c.profile_id = k.was order by k.id`,
    );
    const start = performance.now();
    const people = await this.copy('profiles', `contact_profiles (id, owner_id, ${profile})`);
    await this.copy('members', `subscriptions (profile_id, unsubscribe_token, ${member})`);
    const rate = (people * 1000) / (performance.now() - start);
    await this.world.db.query('drop table copied');
    await this.world.db.query('delete from email_lists where id = $1', [list]);
    await this.world.db.query('delete from contact_profiles where owner_id = $1', [owner]);
    return rate;
  }

  private async rate(name: string, into: string): Promise<number> {
    const start = performance.now();
    const count = await this.copy(name, into);
    return (count * 1000) / (performance.now() - start);
  }

  private async keep(name: string, query: string): Promise<void> {
    const client = await this.world.db.connect();
    try {
      await pipeline(client.query(copyTo(`copy (${query}) to stdout`)), createWriteStream(join(this.folder, name)));
    } finally {
      client.release();
    }
  }

  /** @returns number of rows */
  private async copy(name: string, into: string): Promise<number> {
    const client = await this.world.db.connect();
    try {
      const copied = client.query(copyFrom(`copy ${into} from stdin`));
      await pipeline(createReadStream(join(this.folder, name)), copied);
      return copied.rowCount;
    } finally {
      client.release();
    }
  }
}
