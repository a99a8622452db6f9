import { ListsScreen } from '../../../features/lists/components/lists-screen';

export default function ListsRoute() {
  return <ListsScreen />;
}
