import { Navigate, useParams } from 'react-router-dom';
import { registerPath } from '../../../lib/routes';

/** The server answers this address itself; the same for whoever comes here within the app. */
export default function InviteRoute() {
  const { code } = useParams();
  return <Navigate to={registerPath(code)} replace />;
}
