"""What all tests start from."""

import signal

# A shell gives jobs in the background an ignored SIGINT, which children inherit; tests of Ctrl-C want the usual one.
signal.signal(signal.SIGINT, signal.default_int_handler)
