import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';

/** A scheduled send for the command line. */
export interface WaitingSend {
  id: string;
  subject: string;
  sender: string;
  /** YYYY-MM-DD HH:mm in the send's own time zone. */
  at: string;
  timeZone: string;
  dueAt: Date;
  isOverdue: boolean;
}

const MAX_LISTED_SENDS = 50;

/** Waiting scheduled sends, for the command line. */
@Injectable()
export class WaitingSends {
  constructor(private readonly em: EntityManager) {}

  /** The number of waiting sends, and the 50 that are due first. */
  async first(): Promise<{ total: number; sends: WaitingSend[] }> {
    const em = this.em.fork();
    const [found] = await rows<{ total: number }>(
      em,
      `select count(*)::int as total from scheduled_sends where state = 'scheduled'`,
    );
    const sends = await rows<WaitingSend>(
      em,
      `select s.id, s.send ->> 'subject' as subject, u.email as sender, to_char(s.local_at, 'YYYY-MM-DD HH24:MI') as at, s.time_zone as "timeZone",
         s.due_at as "dueAt", s.due_at <= now() as "isOverdue"
       from scheduled_sends s join users u on u.id = s.user_id where s.state = 'scheduled' order by s.due_at, s.id limit ${MAX_LISTED_SENDS}`,
    );
    return { total: found?.total ?? 0, sends };
  }
}

@Module({ providers: [WaitingSends], exports: [WaitingSends] })
export class WaitingSendsModule {}
