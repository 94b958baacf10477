/** A configuration profile with the certificate of the authority, which iPhone and iPad can install. */
import { createHash } from 'node:crypto';

/** @param certificate DER */
export function appleProfile(certificate: Buffer): string {
  const id = (what: string) => uuidOf(certificate, what);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
<key>PayloadContent</key>
<array>
<dict>
<key>PayloadCertificateFileName</key><string>gatehouse.crt</string>
<key>PayloadContent</key><data>${certificate.toString('base64')}</data>
<key>PayloadDisplayName</key><string>Gatehouse</string>
<key>PayloadIdentifier</key><string>gatehouse.authority.${id('payload')}</string>
<key>PayloadType</key><string>com.apple.security.root</string>
<key>PayloadUUID</key><string>${id('payload')}</string>
<key>PayloadVersion</key><integer>1</integer>
</dict>
</array>
<key>PayloadDisplayName</key><string>Gatehouse</string>
<key>PayloadIdentifier</key><string>gatehouse.profile.${id('profile')}</string>
<key>PayloadRemovalDisallowed</key><false/>
<key>PayloadType</key><string>Configuration</string>
<key>PayloadUUID</key><string>${id('profile')}</string>
<key>PayloadVersion</key><integer>1</integer>
</dict>
</plist>
`;
}

/** The same for the same certificate, so that installing it again replaces it. */
function uuidOf(certificate: Buffer, what: string): string {
  const hex = createHash('sha256').update(what).update(certificate).digest('hex').toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
