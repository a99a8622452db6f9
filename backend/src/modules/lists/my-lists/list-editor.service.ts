import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { inTransaction } from '../../../shared/database/queries/rows.js';
import type { RequestUser } from '../../../shared/http/index.js';
import type { CreateEmailListDto, EmailListDto, UpdateEmailListDto } from './email-list.dto.js';
import { listNotFound } from '../lists.errors.js';
import { EmailList } from '../entities/email-list.entity.js';
import { ListAccess } from './list-access.service.js';
import { listView } from './list-reader.service.js';
import { AuditTrail } from '../../auth/index.js';
import { PlanLimits } from './plan-limits.service.js';

/** Letters and digits of slugs, without those that are easily confused, so that a printed link can be typed. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const RANDOM_LENGTH = 10;

/** Slug of a list's public page: its name and an unguessable part. */
export function makeSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
    .replace(/-$/, '');
  const random = Array.from({ length: RANDOM_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return words ? `${words}-${random}` : random;
}

/** Creates and edits lists. */
@Injectable()
export class ListEditor {
  constructor(
    private readonly em: EntityManager,
    private readonly access: ListAccess,
    private readonly limits: PlanLimits,
    private readonly audit: AuditTrail,
  ) {}

  create(user: RequestUser, body: CreateEmailListDto): Promise<EmailListDto> {
    return inTransaction(this.em, async (em) => {
      await this.limits.reserveList(em, user.id);
      const { name, description, agencyName, agencyLogo, ownerName } = body;
      const list = em.create(EmailList, {
        name,
        description,
        agencyName,
        agencyLogo,
        ownerName,
        ownerId: user.id,
        slug: makeSlug(name),
        createdAt: new Date(),
        updatedAt: new Date(),
      });
      await em.flush();
      return listView(list);
    });
  }

  /** Changes a list. Absent fields stay, empty texts clear the field; the slug never changes. */
  async update(user: RequestUser, id: string, body: UpdateEmailListDto): Promise<EmailListDto> {
    await this.access.require(user, id);
    return inTransaction(this.em, async (em) => {
      const list = await em.findOne(EmailList, { id });
      if (!list) throw listNotFound();
      for (const field of ['name', 'description', 'agencyName', 'agencyLogo', 'ownerName'] as const) {
        if (body[field] !== undefined) Object.assign(list, { [field]: body[field] });
      }
      await em.flush();
      if (list.isDefault)
        await this.audit.recordAction(
          em,
          { id: user.id, client: null },
          { kind: 'network.changed', detail: Object.keys(body).join(', ') },
        );
      return listView(list);
    });
  }
}
