import { Notifications } from '@mantine/notifications';

/** Where short notices of the console appear. */
export const Notices = () => <Notifications position="bottom-center" />;
