import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../shared/database/queries/rows.js';
import { DEMO_LISTS } from './demo-content.js';
import { HOTLIST, UNFINISHED, WITH_BLANKS } from './demo-documents.js';

const DRAFTS = [
  {
    subject: 'Hotlist: four consultants from Monday',
    preheader: 'Rates and locations inside',
    document: HOTLIST,
    step: 3,
    device: 'Chrome, Windows',
    minutes: 6,
  },
  {
    subject: '',
    preheader: '',
    document: UNFINISHED,
    step: 3,
    device: 'Safari, iPhone',
    minutes: 26 * 60,
  },
] as const;

const TEMPLATES = [
  {
    name: 'Hotlist with rates',
    subject: 'Hotlist: [skills], available from [date]',
    document: HOTLIST,
    uses: 12,
    days: 2,
  },
  {
    name: 'One consultant, short',
    subject: null,
    document: WITH_BLANKS,
    uses: 3,
    days: 19,
  },
] as const;

const SIGNATURE = {
  type: 'doc',
  version: 1,
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Dana Reyes', marks: [{ type: 'bold' }] },
        { type: 'hardBreak' },
        { type: 'text', text: 'Bench sales manager' },
        { type: 'hardBreak' },
        { type: 'text', text: '+1 860 555 0142' },
      ],
    },
  ],
};

/** Creates the sender profile of the demo account. */
export async function seedSenderProfile(em: EntityManager, userId: string): Promise<void> {
  await rows(
    em,
    `insert into sender_profiles (user_id, title, phone, website, address_line1, address_line2, city, region, postal_code, country, signature, accent, show_logo)
     values (?, 'Bench sales manager', '+1 860 555 0142', 'https://brightbench.example', '120 Trumbull Street', 'Suite 400', 'Hartford', 'CT', '06103', 'USA', ?::jsonb, 'teal', true)`,
    [userId, JSON.stringify(SIGNATURE)],
  );
}

/** Creates the demo account's own templates, and drafts that were saved on two devices. */
export async function seedCompositions(em: EntityManager, userId: string): Promise<void> {
  for (const { subject, preheader, document: body, step, device, minutes } of DRAFTS)
    await rows(
      em,
      `insert into email_drafts (user_id, email_type, list_ids, subject, preheader, document, step, last_device, created_at, updated_at)
       select ?, 'candidate-list', coalesce((select jsonb_agg(id) from email_lists where owner_id = ? and name = ?), '[]'), ?, ?, ?::jsonb, ?, ?, at - interval '20 minutes', at
       from (select now() - make_interval(mins => ?) as at) t`,
      [userId, userId, DEMO_LISTS[0]!.name, subject, preheader, JSON.stringify(body), step, device, minutes],
    );
  for (const { name, subject, document: body, uses, days } of TEMPLATES)
    await rows(
      em,
      `insert into email_templates (owner_id, name, email_type, subject, document, use_count, used_at, created_at, updated_at)
       select ?, ?, 'candidate-list', ?, ?::jsonb, ?, at, at - interval '30 days', at from (select now() - make_interval(days => ?) as at) t`,
      [userId, name, subject, JSON.stringify(body), uses, days],
    );
}
