import { SendWizard } from '../../../features/send/components/send-wizard';

export default function SendRoute() {
  return <SendWizard />;
}
