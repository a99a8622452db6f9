import { figure, quantile, type Figure } from '../goals/goals.js';
import type { People } from '../people.js';
import type { Bench } from '../scenario.js';

const WARM_UP_CALLS = 20;
const CALLS_PER_PAGE = 100;

/** Response times of the screens of contacts, of one person, and of a send that left people out, on an idle machine. */
export async function contactPages({ world }: Bench, people: People, sendId: string): Promise<Figure[]> {
  const { rows } = await world.db.query<{ id: string }>(
    `select p.id from contact_profiles p where p.owner_id = $1 order by p.email_hash limit $2`,
    [people.ownerId, CALLS_PER_PAGE],
  );
  await world.db.query('vacuum analyze email_delivery_logs, send_left_out');
  await world.db.query('checkpoint');
  const page = '/api/contacts?limit=50';
  const kinds: Record<string, (i: number) => string> = {
    page: () => page,
    'by name': () => `${page}&sort=name`,
    'by tag': (i) => `${page}&tag=${people.tags[i % people.tags.length]}`,
    'by list': (i) => `${page}&list=${people.lists[i % 3]}`,
    'search for an address': (i) => `${page}&search=p${i + 10}77`,
    'for a name': (i) => `${page}&search=${['kumar', 'patel', 'smith1', 'chen99'][i % 4]}`,
    'for a company': (i) => `${page}&search=company%20company${i + 1}`,
    person: (i) => `/api/contacts/${rows[i % rows.length]!.id}`,
    story: (i) => `/api/contacts/${rows[i % rows.length]!.id}/timeline`,
    'left out': () => `/api/email-history/${sendId}/left-out?limit=50`,
    'left out, search': (i) => `/api/email-history/${sendId}/left-out?limit=50&search=p${i + 10}7`,
  };
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let i = -WARM_UP_CALLS; i < CALLS_PER_PAGE; i++)
    for (const [kind, path] of Object.entries(kinds)) {
      const start = performance.now();
      await (await world.call('GET', path(Math.abs(i)))).arrayBuffer();
      if (i >= 0) times.get(kind)!.push(performance.now() - start);
    }
  const each = [...times].map(
    ([kind, of]) => `${kind} ${quantile(of, 0.5).toFixed(1)}/${quantile(of, 0.99).toFixed(1)}`,
  );
  return [
    figure(
      'contact-pages',
      quantile([...times.values()].flat(), 0.99),
      `${people.count} contacts; p50/p99 of ${each.join(', ')}`,
    ),
    figure(
      'contact-pages',
      Math.max(...[...times.values()].map((of) => quantile(of, 0.99))),
      'the slowest of them, p99',
    ),
  ];
}
