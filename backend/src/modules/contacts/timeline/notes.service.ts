import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { CONTACT_LIMITS } from '../contacts.constants.js';
import { contactNotFound, limitReached, noteNotFound } from '../contacts.errors.js';
import type { ContactNoteDto } from './timeline.dto.js';

/** The notes that users of an account write about a person. */
@Injectable()
export class Notes {
  constructor(private readonly em: EntityManager) {}

  /** @throws 404, 409 if the person has the maximum number of notes */
  add(ownerId: string, profileId: string, body: string): Promise<ContactNoteDto> {
    return inTransaction(this.em, async (em) => {
      const held = await rows(em, `select id from contact_profiles where id = ? and owner_id = ? for update`, [
        profileId,
        ownerId,
      ]);
      if (held.length === 0) throw contactNotFound();
      const [there] = await rows<{ n: number }>(
        em,
        `select count(*)::int as n from contact_notes where profile_id = ?`,
        [profileId],
      );
      const most = CONTACT_LIMITS.notesPerContact;
      if ((there?.n ?? 0) >= most) throw limitReached('notes on one contact', most);
      const [added] = await rows<{ id: string; body: string; createdAt: string | Date }>(
        em,
        `insert into contact_notes (profile_id, owner_id, body) values (?, ?, ?) returning id, body, created_at as "createdAt"`,
        [profileId, ownerId, body],
      );
      return { ...added!, createdAt: new Date(added!.createdAt).toISOString() };
    });
  }

  /** @throws 404 */
  async remove(ownerId: string, profileId: string, noteId: string): Promise<void> {
    const gone = await changed(
      this.em.fork(),
      `delete from contact_notes where id = ? and profile_id = ? and owner_id = ?`,
      [noteId, profileId, ownerId],
    );
    if (gone === 0) throw noteNotFound();
  }
}
