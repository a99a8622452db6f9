import type { ButtonProps } from '@mui/material/Button';
import { errorMessage } from '../../../api/api-error';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { useResendVerification } from '../api';
import { messages } from '../messages';

/** Mails the verification link once more. */
export function ResendButton({ label = 'Resend email', ...rest }: { label?: string } & Pick<ButtonProps, 'size' | 'variant' | 'color'>) {
  const [resend, pending] = useResendVerification();
  const toast = useToast();
  const run = async () => {
    try {
      const { message, sent } = await resend();
      toast({ title: sent === false ? messages.verifiedAlready : messages.resent, description: message, variant: 'success' });
    } catch (error) {
      toast({ title: messages.resendFailed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    }
  };
  return (
    <SubmitButton {...rest} type="button" pending={pending} onClick={() => void run()}>
      {label}
    </SubmitButton>
  );
}
