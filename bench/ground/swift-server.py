"""One server of OpenStack Swift (Debian: python3-swift), or its rings: swift-server.py rings FOLDER PORT... | swift-server.py KIND CONF"""

import os
import sys

kinds = ["account", "container", "object"]


def make_rings(folder, ports):
    from swift.common.ring import RingBuilder

    for kind, port in zip(kinds, ports):
        builder = RingBuilder(part_power=2, replicas=1, min_part_hours=1)
        device = {"region": 1, "zone": 1, "ip": "127.0.0.1", "port": int(port), "device": "disk", "weight": 1.0}
        builder.add_dev(device)
        builder.rebalance()
        builder.get_ring().save("%s/%s.ring.gz" % (folder, kind))


def serve(kind, conf):
    from swift.common.utils import set_swift_dir

    set_swift_dir(os.path.dirname(conf))  # its swift.conf, not the machine's
    from swift.common.wsgi import run_wsgi

    options = {}
    if kind == "object":
        from swift.obj.server import global_conf_callback

        options["global_conf_callback"] = global_conf_callback
    sys.exit(run_wsgi(conf, kind + "-server", **options))


if sys.argv[1] == "rings":
    make_rings(sys.argv[2], sys.argv[3:])
else:
    serve(sys.argv[1], sys.argv[2])
