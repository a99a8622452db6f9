import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isUuid } from '../../../shared/text/formats.js';
import { rows } from '../../../shared/database/queries/rows.js';
import { PRODUCT_NAME, type SuppressionReason } from '../../../shared/enums.js';
import type { SenderChoicesDto, SenderDto } from './consent.dto.js';
import { EmailList } from '../entities/email-list.entity.js';
import { unknownSender } from '../lists.errors.js';
import { ListOwners } from '../list-owners.service.js';
import {
  EVERYTHING,
  type UnsubscribeScope,
  NETWORK,
  ownerScope,
  scopesOf,
  type UnsubscribeLink,
  UnsubscribeLinks,
} from './unsubscribe-links.service.js';

/** Id that stands for the default list among senders. */
const NETWORK_ID = 'network';
/** Maximum number of lists of an address that the page shows. */
const MAX_SENDERS = 200;

/** Finds the senders that have an address on their lists, for the choices of an unsubscribe link. */
@Injectable()
export class SenderChoices {
  constructor(
    private readonly em: EntityManager,
    private readonly links: UnsubscribeLinks,
    private readonly owners: ListOwners,
  ) {}

  /** The senders, each with its lists that contain the address, newest list first. */
  async of(token: string): Promise<SenderChoicesDto> {
    const link = await this.links.find(token);
    const marks = await rows<{ id: string; suppressed: SuppressionReason | null }>(
      this.em,
      `select c.email_list_id as id, c.suppressed from subscriptions c where c.email_hash = ? order by c.created_at desc limit ${MAX_SENDERS}`,
      [link.email_hash],
    );
    const lists = new Map(
      (await this.em.fork().find(EmailList, { id: { $in: marks.map((mark) => mark.id) } })).map((list) => [
        list.id,
        list,
      ]),
    );
    const senders = new Map<string, SenderDto>();
    for (const { id, suppressed } of marks) {
      const list = lists.get(id);
      if (!list) continue;
      const key = list.ownerId ?? NETWORK_ID;
      const isIn = suppressed === null || suppressed === 'bounced';
      const known = senders.get(key);
      if (known) {
        known.lists.push(list.name);
        known.left &&= !isIn;
      } else {
        senders.set(key, { id: key, ...(await this.nameOf(list)), lists: [list.name], left: !isIn });
      }
    }
    return { email: link.email, left: await this.hasLeft(link), senders: [...senders.values()] };
  }

  /** Scope of unsubscribing from one of the senders; a sender without the address is treated as missing. */
  async scopeOf(link: UnsubscribeLink, sender: string): Promise<UnsubscribeScope> {
    if (sender === NETWORK_ID) return NETWORK;
    const [has] = isUuid(sender) ? await rows(this.em, HAS_ADDRESS, [sender, link.email_hash]) : [];
    if (!has) throw unknownSender();
    return ownerScope(sender.toLowerCase());
  }

  private async hasLeft(link: UnsubscribeLink): Promise<boolean> {
    return (
      (await rows(this.em, FIND_UNSUBSCRIPTION, [JSON.stringify([...scopesOf(link), EVERYTHING]), link.email_hash]))
        .length > 0
    );
  }

  private async nameOf(list: EmailList): Promise<Pick<SenderDto, 'name' | 'agencyName'>> {
    if (!list.ownerId) return { name: `The ${PRODUCT_NAME} network`, agencyName: null };
    const { ownerName, agencyName } = await this.owners.publicDetails(list);
    return { name: ownerName ?? agencyName ?? list.name, agencyName: ownerName ? agencyName : null };
  }
}

const FIND_UNSUBSCRIPTION = `
  select 1 from suppressions s join jsonb_to_recordset(?::jsonb) as t(scope text, owner_id uuid) on s.scope = t.scope and s.owner_id is not distinct from t.owner_id
  where s.address_hash = ? and s.reason = 'unsubscribed' limit 1`;

const HAS_ADDRESS = `
  select 1 from subscriptions c join email_lists l on l.id = c.email_list_id
  where l.owner_id = ?::uuid and l.deleted_at is null and c.email_hash = ? limit 1`;
