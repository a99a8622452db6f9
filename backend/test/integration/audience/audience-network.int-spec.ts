import { describe, expect, it } from '@jest/globals';
import { seedList, sendBody, type SeededList, settled } from '../sending/support.js';
import { accepted, app, deliveries, lastSubject, leftOut, post, prepare, preview, PRO } from './support.js';

describe('exclusions beside the shared network', () => {
  it('exclude a person who is also on the network, without revealing that', async () => {
    const user = await app.user(PRO);
    const own = await seedList(app, user, { addresses: ['own@net.example', 'both@net.example'] });
    const clients = await seedList(app, user, { addresses: ['both@net.example'], name: 'Clients' });
    const network = await seedList(app, null, {
      addresses: ['both@net.example', 'far@net.example', 'jane@client-net.example'],
    });
    await prepare(user);
    const extra = { excludeListIds: [clients.id], excludeAddresses: ['jane@client-net.example'] };
    const counted = await preview(user, [own, network], extra);
    expect(counted).toMatchObject({ recipientCount: '1', excluded: { excludedList: 1, excludedHere: 0 } });
    expect(counted.leftOut).toEqual([expect.objectContaining({ email: 'both@net.example', reason: 'excludedList' })]);
    const { id } = await accepted(user, [own, network], extra);
    await settled(user, id);
    expect(await deliveries(user, id)).toEqual(['f…@net.example', 'own@net.example']);
    expect((await leftOut(user, id)).map(({ email }) => email)).toEqual(['both@net.example']);
    await user.agent
      .post('/api/send-email/preview')
      .send(sendBody(own, { excludeListIds: [network.id] }))
      .expect(404);
  });

  it('answer the same whether an excluded address is on the network or not, however it is excluded', async () => {
    const members = Array.from({ length: 10 }, (_, i) => `m${i}@many.example`);
    // With Jane the network has ten members, a number at which the rounded count changes.
    const network = await seedList(app, null, { addresses: [...members.slice(1), 'jane@probe.example'] });
    const asked = async (address: string) => {
      const user = await app.user(PRO);
      const own = await seedList(app, user, { addresses: ['bob@probe.example', 'own@many.example'] });
      const clients = await seedList(app, user, { addresses: [address], name: 'Clients' });
      await prepare(user);
      const answers: object[] = [];
      const probe = async (extra: object, lists: SeededList | SeededList[] = network) => {
        const { recipientCount, excluded, leftOut: samples } = await preview(user, lists, extra);
        answers.push({ recipientCount, excluded, samples });
      };
      const here = { excludeAddresses: [address] };
      await probe(here);
      await probe({ excludeAddresses: [address, 'probe.example'] });
      await probe({ excludeListIds: [clients.id] });
      await probe({ excludeListIds: [clients.id], excludeAddresses: ['many.example', 'probe.example'] });
      // The cap would leave out one of two people at a company, if the excluded address were on the network.
      await probe({ ...here, perCompany: { max: 1 } }, [own, network]);
      const { id, recipientCount } = await accepted(user, network, here);
      const { body: again } = await post(user, network, { ...here, subject: lastSubject() }).expect(202);
      expect(again).toMatchObject({ id, recipientCount });
      answers.push({ recipientCount });
      const others = ['probe.example', 'many.example', 'net.example', 'client-net.example'];
      const { body } = await post(user, network, { excludeAddresses: [address, ...others] }).expect(400);
      answers.push({ ...(body as object), requestId: null });
      await user.agent.post('/api/do-not-send').send({ value: address, reason: 'other' }).expect(201);
      await probe({});
      return answers;
    };
    expect(await asked('jane@probe.example')).toEqual(await asked('nobody@probe.example'));
  });
});
