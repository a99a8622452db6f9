import { useSession } from '../../api/session';
import { NotFound } from '../layouts/not-found';
import { PublicLayout } from '../layouts/public-layout';
import { SignedInLayout } from '../layouts/signed-in-layout';

/** Any other address, inside the frame the visitor knows. */
export default function NotFoundRoute() {
  const { user, isLoading } = useSession();
  if (isLoading) return null;
  const Layout = user ? SignedInLayout : PublicLayout;
  return (
    <Layout>
      <NotFound signedIn={Boolean(user)} />
    </Layout>
  );
}
