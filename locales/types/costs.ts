// Written by `npm run locales` from locales/en. Do not edit.
export type CostsMessages = {
  faces: string;
  pictures: string;
  abandoned: string;
  photos: string;
  ticketNames: string;
  fastLane: string;
  badges: string;
  controls: string;
  backups: string;
  webhooks: string;
  sms: string;
};
