import { client } from '../../api/client';
import { useDebounced } from '../../lib/use-debounced';

const DEBOUNCE_MS = 200;
const RESULTS_SHOWN = 5;

/** Lists, sends and contacts of the account that the server finds for the text, 200 ms after the last key. */
export function useSearch(text: string) {
  const typed = text.trim().slice(0, 200);
  const search = useDebounced(typed, DEBOUNCE_MS);
  const skip = search === '' || typed === '';
  const lists = client.useListEmailListsQuery({ search, limit: RESULTS_SHOWN }, { skip });
  const sends = client.useListHistoryQuery({ search, limit: RESULTS_SHOWN }, { skip });
  const contacts = client.useFindContactsQuery({ search }, { skip });
  const queries = [lists, sends, contacts];
  return {
    lists: (!skip && lists.currentData?.rows) || [],
    sends: (!skip && sends.currentData?.rows) || [],
    contacts: (!skip && contacts.currentData) || [],
    isSearching: typed !== '' && (typed !== search || queries.some(({ isFetching }) => isFetching)),
    isFailed: !skip && queries.some(({ error, isFetching }) => error && !isFetching),
    retry: () => queries.forEach((query) => query.error && void query.refetch()),
  };
}
