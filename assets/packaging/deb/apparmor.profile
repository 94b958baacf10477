# Ubuntu 24.04 and newer let a program make user namespaces, which Chromium's sandbox needs, only with a profile.
abi <abi/4.0>,
include <tunables/global>

profile gatehouse /opt/Gatehouse/gatehouse flags=(unconfined) {
  userns,
  include if exists <local/gatehouse>
}
