import { useParams } from 'react-router-dom';
import { ListPage } from '../../../features/subscribe/components/list-page';

export default function SubscribeListRoute() {
  const { slug = '' } = useParams();
  return <ListPage slug={slug} />;
}
