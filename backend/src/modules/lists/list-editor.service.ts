import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows, withoutTimeLimit } from '../../shared/database/rows.js';
import type { RequestUser } from '../../shared/http/index.js';
import type { CreateEmailListDto, EmailListDto, UpdateEmailListDto } from './dto/email-list.dto.js';
import { EmailList } from './entities/email-list.entity.js';
import { ListAccess } from './list-access.service.js';
import { listView } from './list-view.js';
import { defaultListStays, listNotFound } from './lists.errors.js';
import { AuditTrail } from '../auth/index.js';
import { PlanLimits } from './plan-limits.service.js';
import { makeSlug } from './slug.js';

/** Makes, changes and deletes lists. */
@Injectable()
export class ListEditor {
  constructor(
    private readonly em: EntityManager,
    private readonly access: ListAccess,
    private readonly limits: PlanLimits,
    private readonly audit: AuditTrail,
  ) {}

  create(user: RequestUser, body: CreateEmailListDto): Promise<EmailListDto> {
    return this.em.transactional(async (em) => {
      await this.limits.reserveList(em, user.id);
      const { name, description, agencyName, agencyLogo, ownerName } = body;
      const list = em.create(EmailList, {
        name, description, agencyName, agencyLogo, ownerName, ownerId: user.id, slug: makeSlug(name), createdAt: new Date(), updatedAt: new Date(),
      });
      await em.flush();
      return listView(list);
    });
  }

  /** What is absent stays, an empty text clears; the slug never changes. */
  async update(user: RequestUser, id: string, body: UpdateEmailListDto): Promise<EmailListDto> {
    const list = await this.access.require(user, id);
    for (const field of ['name', 'description', 'agencyName', 'agencyLogo', 'ownerName'] as const) {
      if (body[field] !== undefined) Object.assign(list, { [field]: body[field] });
    }
    await this.em.transactional(async (em) => {
      await em.flush();
      if (list.isDefault) await this.audit.recordAct(em, { id: user.id, client: null }, { kind: 'network.changed', detail: Object.keys(body).join(', ') });
    });
    return listView(list);
  }

  /** The unsubscribe links of everyone who may have had mail outlive the list by a trigger (decisions.md D23, D24). */
  async remove(user: RequestUser, id: string): Promise<void> {
    const list = await this.access.require(user, id);
    if (list.isDefault) throw defaultListStays();
    await this.em.transactional(async (em) => {
      const [locked] = await rows<{ id: string }>(em, 'select id from email_lists where id = ? for update', [id]);
      if (!locked) throw listNotFound();
      await withoutTimeLimit(em);
      await rows(em, 'delete from email_lists where id = ?', [id]);
    });
    this.em.clear();
  }
}
