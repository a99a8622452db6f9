import { useState } from 'react';
import { isApiError } from '../../../api/api-error';
import { client } from '../../../api/client';
import type { CreateDoNotSendDto } from '../../../api/endpoints.gen';
import { plural } from '../../../lib/format';
import { useToast } from '../../../ui/toast/toast';
import { messages } from './rules';

/** A rule that covers so many contacts that it has to be confirmed. */
export interface BroadRule {
  body: CreateDoNotSendDto;
  text: string;
}

/** Adds a rule. A rule that covers very many contacts waits in `broad` until it is confirmed. */
export function useAddRule(onAdded: () => void) {
  const [addRule, { isLoading }] = client.useAddDoNotSendMutation();
  const [broad, setBroad] = useState<BroadRule>();
  const toast = useToast();
  /** @throws the server's refusal, except for a broad rule */
  const add = async (body: CreateDoNotSendDto) => {
    try {
      const { id, value, matches } = await addRule({ createDoNotSendDto: body }).unwrap();
      setBroad(undefined);
      toast({
        title: id ? messages.added : messages.stopped,
        description: id ? `${value}: ${plural(matches, 'contact')}` : value,
        variant: 'success',
      });
      onAdded();
    } catch (error) {
      if (!isApiError(error) || error.code !== 'broad_rule') throw error;
      setBroad({ body, text: error.message.replace(/ Send it again.*$/, '') });
    }
  };
  return {
    add,
    isLoading,
    broad,
    confirm: () => (broad ? add({ ...broad.body, confirm: true }) : Promise.resolve()),
    dismiss: () => setBroad(undefined),
  };
}
