import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { browser } from '../../../lib/browser';
import { RadioCards } from '../../../ui/form/radio-cards';
import { IconAlert } from '../../../ui/icons';
import { confirmPayment } from '../simulator';
import { TEST_CARDS, type TestCard } from '../test-cards';
import { type CardFormProps, PaymentForm } from './payment-form';

/** The card form on the simulator: named test cards, no number to type. */
export default function DemoCardForm({ publishableKey, clientSecret, returnUrl, payLabel }: CardFormProps) {
  const [card, setCard] = useState<TestCard>(TEST_CARDS[0].value);
  const pay = async () => {
    const confirmed = await confirmPayment({ publishableKey, clientSecret, card, returnUrl });
    if (confirmed.outcome === 'refused') return confirmed.message;
    browser.leave(confirmed.outcome === 'challenged' ? confirmed.url : returnUrl);
    return null;
  };
  return (
    <PaymentForm payLabel={payLabel} onPay={pay}>
      <Alert severity="warning" icon={<IconAlert size={18} aria-hidden />}>
        Demo – no real card is charged
      </Alert>
      <RadioCards legend="Test card" name="card" columns={1} choices={TEST_CARDS} value={card} onChange={setCard} />
    </PaymentForm>
  );
}
