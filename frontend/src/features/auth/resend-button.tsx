import type { ButtonProps } from '@mui/material/Button';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import { SubmitButton } from '../../ui/form/submit-button';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';

/** Sends the verification link again. */
export function ResendButton({
  label = 'Resend email',
  ...rest
}: { label?: string } & Pick<ButtonProps, 'size' | 'variant' | 'color'>) {
  const [resend, { isLoading }] = client.useResendVerificationMutation();
  const toast = useToast();
  const run = async () => {
    try {
      const { message, sent } = await resend().unwrap();
      toast({
        title: sent === false ? messages.verifiedAlready : messages.resent,
        description: message,
        variant: 'success',
      });
    } catch (error) {
      toast({
        title: messages.resendFailed,
        description: errorMessage(error, messages.tryAgain),
        variant: 'destructive',
      });
    }
  };
  return (
    <SubmitButton {...rest} type="button" pending={isLoading} onClick={() => void run()}>
      {label}
    </SubmitButton>
  );
}
