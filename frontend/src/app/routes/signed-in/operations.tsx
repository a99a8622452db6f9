import { OperationsScreen } from '../../../features/admin/components/operations-screen';
import { AdminsOnly } from '../../admins-only';

export default function OperationsRoute() {
  return (
    <AdminsOnly>
      <OperationsScreen />
    </AdminsOnly>
  );
}
