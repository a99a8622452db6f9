import type { EmailListDto } from './dto/email-list.dto.js';
import type { EmailList } from './entities/email-list.entity.js';

/** A list as the API shows it. */
export function listView(list: EmailList): EmailListDto {
  const { id, name, slug, contactCount, isDefault, createdAt, updatedAt } = list;
  return {
    id, name, slug, description: list.description ?? null, agencyName: list.agencyName ?? null, agencyLogo: list.agencyLogo ?? null,
    ownerName: list.ownerName ?? null, contactCount, isDefault, createdAt, updatedAt,
  };
}
