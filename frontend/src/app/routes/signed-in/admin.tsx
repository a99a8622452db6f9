import { AdminScreen } from '../../../features/admin/components/admin-screen';
import { DefaultList } from '../../../features/contacts/components/default-list';
import { AdminsOnly } from '../../admins-only';

export default function AdminRoute() {
  return (
    <AdminsOnly>
      <AdminScreen defaultList={<DefaultList />} />
    </AdminsOnly>
  );
}
