import { client } from '../../api/client';
import type { PublicListDto, SubscribeDto } from '../../api/endpoints.gen';

export type PublicList = PublicListDto;
export type Wish = SubscribeDto;

export const usePublicList = (slug: string) => client.useGetPublicListQuery({ slug });

export function useSubscribe() {
  const [subscribe] = client.useSubscribeMutation();
  return (wish: Wish) => subscribe({ subscribeDto: wish }).unwrap();
}
