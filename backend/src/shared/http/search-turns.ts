import pLimit from 'p-limit';

/** Searches of one account that run at the same moment in a process. */
const AT_ONCE = 3;
const turns = new Map<string, { limit: ReturnType<typeof pLimit>; users: number }>();

/**
 * Reads pages, those of a search at most three of an account at a time: however many searches one account asks for at once, they hold
 * no more than three of the process's connections, and wait for each other.
 */
export function inSearchTurns<Q extends { search?: string }, P>(user: { id: string }, page: (query: Q) => Promise<P>): (query: Q) => Promise<P> {
  return (query) => (query.search?.trim() ? inTurn(user.id, () => page(query)) : page(query));
}

async function inTurn<T>(accountId: string, read: () => Promise<T>): Promise<T> {
  const turn = turns.get(accountId) ?? { limit: pLimit(AT_ONCE), users: 0 };
  turns.set(accountId, turn);
  turn.users += 1;
  try {
    return await turn.limit(read);
  } finally {
    turn.users -= 1;
    if (turn.users === 0) turns.delete(accountId);
  }
}
