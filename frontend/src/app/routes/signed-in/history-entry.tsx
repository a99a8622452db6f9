import { useParams } from 'react-router-dom';
import { EntryScreen } from '../../../features/history/components/entry-screen';
import { NotFound } from '../../layouts/not-found';

export default function HistoryEntryRoute() {
  const { entryId = '' } = useParams();
  return <EntryScreen key={entryId} entryId={entryId} notFound={<NotFound signedIn />} />;
}
