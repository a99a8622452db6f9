import { SignInRequired } from '../../../features/billing/components/sign-in-required';
import { PublicLayout } from '../../layouts/public-layout';

export default function SignInRequiredRoute() {
  return (
    <PublicLayout>
      <SignInRequired />
    </PublicLayout>
  );
}
