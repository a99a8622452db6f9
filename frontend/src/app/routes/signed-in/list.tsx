import { useParams } from 'react-router-dom';
import { ListScreen } from '../../../features/contacts/components/list-screen';
import { NotFound } from '../../layouts/not-found';

export default function ListRoute() {
  const { listId = '' } = useParams();
  return <ListScreen key={listId} listId={listId} notFound={<NotFound signedIn />} />;
}
